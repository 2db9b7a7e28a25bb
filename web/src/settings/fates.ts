import type { OwnCoursesQuery } from "./Settings.generated";

type Course = OwnCoursesQuery["myCourses"]["nodes"][number];

/** What becomes of a course when its owner deletes the account (contract 8). */
export interface Fate {
  course: Course;
  /** Others than the owner. */
  students: number;
  /** `goes` with the account; `editor` and `superuser` are who it passes to. */
  kind: "goes" | "editor" | "superuser";
  /** The editor's name. */
  heir?: string;
}

/** Of one's own courses, those that somebody learns first. */
export function fates(courses: readonly Course[]): Fate[] {
  return courses
    .filter(({ myRole }) => myRole === "OWNER")
    .map((course): Fate => {
      const students = course.studentsCount - (course.enrollment ? 1 : 0);
      if (students <= 0) return { course, students: 0, kind: "goes" };
      const editor = course.collaborators?.find(
        ({ role, state }) => role === "EDITOR" && state === "ACCEPTED",
      );
      return editor
        ? { course, students, kind: "editor", heir: editor.fullName || editor.email }
        : { course, students, kind: "superuser" };
    })
    .toSorted((one, other) => other.students - one.students);
}
