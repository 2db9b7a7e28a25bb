import type { CourseStateFragment } from "./MarkPageVisited.generated";

type Lesson = CourseStateFragment["modules"][number]["lessons"][number];
type Page = Lesson["pages"][number];
type Progress = CourseStateFragment["progress"];

export interface Outcome {
  page: Page;
  lesson: { id: string; isCompleted: boolean };
  progress: Progress;
  /** The first page that is not completed, from this one to the end and then from the start; one that takes no work is the last resort. */
  nextPage: Page | null;
}

/**
 * Predicts the server's answer when this page is marked visited, for the optimistic update. A content page is completed by a visit, a
 * quiz page by passing; a lesson is completed with all its pages; the percentage counts pages and is rounded down. Null when the course
 * does not contain the page.
 */
export function afterVisit(course: CourseStateFragment, pageId: string, now: Date): Outcome | null {
  const lessons = course.modules.flatMap((module) => module.lessons);
  const lesson = lessons.find((one) => one.pages.some((page) => page.id === pageId));
  const all = lessons.flatMap((one) => one.pages);
  const at = all.findIndex((page) => page.id === pageId);
  const before = all[at];
  if (!lesson || !before) return null;

  const page = { ...before, isVisited: true, isCompleted: before.isCompleted || before.kind === "CONTENT" };
  const isDone = (one: Page) => (one.id === pageId ? page.isCompleted : one.isCompleted);
  const left = [...all.slice(at), ...all.slice(0, at)].filter((one) => !isDone(one));
  const isCompleted = lesson.pages.every(isDone);
  return {
    page,
    lesson: { id: lesson.id, isCompleted },
    progress: advanced(course.progress, {
      pages: Number(page.isCompleted) - Number(before.isCompleted),
      lessons: Number(isCompleted) - Number(lesson.isCompleted),
      now,
    }),
    nextPage: left.find(isOpen) ?? left[0] ?? null,
  };
}

/** A closed page can be read, a closed quiz cannot be taken. */
function isOpen({ kind, timeline: { state } }: Page): boolean {
  return state === "OPEN" || (state === "CLOSED" && kind === "CONTENT");
}

function advanced(before: Progress, by: { pages: number; lessons: number; now: Date }): Progress {
  const pagesDone = before.pagesDone + by.pages;
  const isAll = before.pagesTotal > 0 && pagesDone === before.pagesTotal;
  return {
    ...before,
    pagesDone,
    lessonsDone: before.lessonsDone + by.lessons,
    percent: before.pagesTotal === 0 ? 0 : Math.floor((100 * pagesDone) / before.pagesTotal),
    // The completion date stays, even when the author adds pages later.
    completedAt: before.completedAt ?? (isAll ? by.now.toISOString() : null),
  };
}
