import { expect, test } from "vitest";
import { paramsOf, searchOf } from "./searchParams";

test.each([
  [{}, { text: "", courseId: null, page: 1 }],
  [{ text: "цикл " }, { text: "цикл ", courseId: null, page: 1 }],
  [
    { text: 42, course: "c", page: "3" },
    { text: "42", courseId: "c", page: 3 },
  ],
  [
    { text: "цикл", page: "x" },
    { text: "цикл", courseId: null, page: 1 },
  ],
  [
    { text: "цикл", page: 5000 },
    { text: "цикл", courseId: null, page: 5 },
  ],
])("the address %j means %j", (given, search) => expect(searchOf(given as object)).toEqual(search));

test("an address has only what differs from the defaults", () => {
  expect(paramsOf({ text: "", courseId: null, page: 1 })).toEqual({});
  expect(paramsOf({ text: "цикл", courseId: "c", page: 2 })).toEqual({ text: "цикл", course: "c", page: 2 });
});
