import { describe, expect, test } from "vitest";
import { lookOf } from "./look";

describe("the address of the course editor", () => {
  test.each([
    [{}, "contents", {}],
    [{ tab: "contents" }, "contents", {}],
    [{ tab: "nothing", search: "Анна" }, "contents", {}],
    [{ view: "unpublished" }, "contents", { view: "unpublished" }],
    [{ view: "map" }, "contents", {}],
    [
      { tab: "students", search: 12, state: "late", answer: "a" },
      "students",
      { search: "12", state: "late" },
    ],
    [
      { tab: "questions", view: "resolved", question: "a", answer: "b" },
      "questions",
      { view: "resolved", question: "a" },
    ],
    [{ tab: "dates", search: "Анна" }, "dates", {}],
    [{ tab: "students", group: "" }, "students", {}],
  ])("%j opens %s with %j", (search, tab, look) => {
    expect(lookOf(search)).toEqual({ tab, look });
  });
});
