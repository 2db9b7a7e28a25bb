import type { TFunction } from "i18next";
import type { CourseTreeQuery } from "./CourseTree.generated";

export type Module = CourseTreeQuery["course"]["modules"][number];
export type Lesson = Module["lessons"][number];
export type Page = Lesson["pages"][number];
type Reason = NonNullable<Page["reason"]>;

/** A page that is not done, and the lesson it is in. */
export interface Left {
  page: Page;
  lesson: Lesson;
}

/** What is not done yet, in reading order. */
export function whatIsLeft(modules: readonly Module[]): Left[] {
  return modules.flatMap(({ lessons }) =>
    lessons.flatMap((lesson) => lesson.pages.flatMap((page) => (page.isCompleted ? [] : [{ page, lesson }]))),
  );
}

/** Where to go on: the first page that is not done and can be. Undefined when there is none. */
export function resumeAt(left: readonly Left[]): Page | undefined {
  return left.find(({ page }) => !isOutOfAttempts(page.reason))?.page;
}

/** Whether a page that is not done cannot be done either, unless a teacher gives the attempts back. */
export function isOutOfAttempts(reason: Pick<Reason, "kind" | "attemptsLeft"> | null): boolean {
  return reason?.kind === "QUIZ_NOT_PASSED" && reason.attemptsLeft === 0;
}

/** Why a lesson is not completed: «Осталось прочитать 2 страницы и пройти 1 тест». Null when nothing is missing. */
export function leftInLesson(lesson: Lesson, language: string, t: TFunction): string | null {
  const missing = lesson.pages.filter((page) => !page.isCompleted);
  const quizzes = missing.filter((page) => page.kind === "QUIZ").length;
  const pages = missing.length - quizzes;
  const parts = [
    pages > 0 ? t("learning.left.read", { count: pages }) : [],
    quizzes > 0 ? t("learning.left.pass", { count: quizzes }) : [],
  ].flat();
  if (parts.length === 0) return null;
  return t("learning.left.lesson", { what: new Intl.ListFormat(language).format(parts) });
}

/** Why a page is not done: «Тест не пройден, лучший результат — 40 %, осталась 1 попытка». */
export function whyNotDone(reason: Reason, t: TFunction): string {
  if (reason.kind === "NOT_VISITED") return t("learning.reason.notVisited");
  const { bestPercent, attemptsLeft } = reason;
  return [
    bestPercent === null
      ? t("learning.reason.noAttempt")
      : t("learning.reason.best", { percent: bestPercent }),
    attemptsLeft === null ? [] : t("learning.reason.attemptsLeft", { count: attemptsLeft }),
  ]
    .flat()
    .join(", ");
}
