import { expect, test } from "vitest";
import { destination, type Found } from "./destination";

const found = (given: Partial<Found>): Found => ({
  kind: "PAGE",
  id: "p",
  title: null,
  number: 1,
  courseId: "c",
  courseTitle: "Курс",
  lessonTitle: null,
  pageId: "p",
  pageKind: null,
  published: true,
  myRole: "LEARNER",
  ...given,
});

test.each([
  [{ myRole: "LEARNER" }, "/view-page/p"],
  [{ myRole: "TEACHER" }, "/view-page/p"],
  [{ myRole: "EDITOR" }, "/edit-page/p"],
  [{ myRole: "REVIEWER" }, "/edit-page/p"],
  [{ myRole: "OWNER", kind: "LESSON" }, "/edit-page/p"],
  [{ myRole: "OWNER", kind: "LESSON", pageId: null }, "/edit-course/c"],
  [{ myRole: "LEARNER", kind: "COURSE", pageId: null }, "/view-course/c"],
  [{ myRole: "TEACHER", kind: "COURSE", pageId: null }, "/edit-course/c"],
] as const)("%j opens at %s", (given, path) => expect(destination(found(given))).toBe(path));
