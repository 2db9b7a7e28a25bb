import { expect, test } from "vitest";
import { course } from "./course.fixture";
import { type Course, partsOf } from "./parts";
import { canBeNeeded, withChoices } from "./prerequisites";

test("a part may need any module or lesson that does not contain it and is not inside it", () => {
  const [module] = course.modules;
  if (!module) throw new Error("the course has no module");
  const second = {
    ...module,
    id: "m2",
    lessons: module.lessons.map((one) => ({ ...one, id: "l2", pages: [] })),
  };
  const parts = partsOf({ ...course, modules: [module, second] } satisfies Course);
  const needed = (id: string) => {
    const by = parts.find((part) => part.id === id);
    return by && parts.filter((part) => canBeNeeded(part, by)).map((part) => part.id);
  };
  expect(needed("m")).toEqual(["m2", "l2"]);
  expect(needed("l2")).toEqual(["m", "l"]);
});

test("choices add and remove, and the last one of a part counts", () => {
  const choices = new Map([
    ["b", true],
    ["a", false],
  ]);
  expect([...withChoices(["a", "c"], choices)]).toEqual(["c", "b"]);
  expect([...withChoices(["a"], new Map(choices).set("a", true))]).toEqual(["a", "b"]);
});
