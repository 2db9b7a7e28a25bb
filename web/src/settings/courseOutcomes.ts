import type { OwnCoursesQuery } from "./Settings.generated";

type Course = OwnCoursesQuery["myCourses"]["nodes"][number];

/** What happens to a course when its owner deletes the account. */
export interface CourseOutcome {
  course: Course;
  /** The number of enrolled students other than the owner. */
  students: number;
  /** `goes`: deleted with the account; `editor`, `superuser`: the new owner. */
  kind: "goes" | "editor" | "superuser";
  /** The editor's name. */
  heir?: string;
}

/** Returns the outcome of each owned course, the courses with most students first. */
export function courseOutcomes(courses: readonly Course[]): CourseOutcome[] {
  return courses
    .filter(({ myRole }) => myRole === "OWNER")
    .map((course): CourseOutcome => {
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
