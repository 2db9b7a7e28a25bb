import { expect, test } from "vitest";
import { courseOutcomes } from "./courseOutcomes";

type Course = Parameters<typeof courseOutcomes>[0][number];

const course = (title: string, more: Partial<Course> = {}): Course => ({
  id: title,
  title,
  myRole: "OWNER",
  studentsCount: 0,
  enrollment: null,
  collaborators: [],
  ...more,
});
const member = (email: string, role: "EDITOR" | "TEACHER", state: "ACCEPTED" | "PENDING" = "ACCEPTED") => ({
  id: email,
  email,
  fullName: null,
  role,
  state,
});

test("a course without other students is deleted; others pass to the first editor, otherwise to a superuser", () => {
  const found = courseOutcomes([
    course("пустой"),
    course("учу сам", { studentsCount: 1, enrollment: { id: "e" } }),
    course("чужой", { myRole: "EDITOR", studentsCount: 9 }),
    course("без редактора", { studentsCount: 3, collaborators: [member("t@example.com", "TEACHER")] }),
    course("с редактором", {
      studentsCount: 12,
      collaborators: [member("p@example.com", "EDITOR", "PENDING"), member("e@example.com", "EDITOR")],
    }),
  ]);
  expect(found.map(({ course, students, kind, heir }) => [course.title, students, kind, heir])).toEqual([
    ["с редактором", 12, "editor", "e@example.com"],
    ["без редактора", 3, "superuser", undefined],
    ["пустой", 0, "goes", undefined],
    ["учу сам", 0, "goes", undefined],
  ]);
});
