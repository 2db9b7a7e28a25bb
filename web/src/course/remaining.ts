import type { TFunction } from "i18next";
import type { PageKind } from "../api/schema.generated";
import type { CourseTreeQuery } from "./CourseScreen.generated";
import { pageState } from "./pageState";
import { isStuck } from "./stuck";

export type Module = CourseTreeQuery["course"]["modules"][number];
export type Lesson = Module["lessons"][number];
export type Page = Lesson["pages"][number];
type Reason = NonNullable<Page["reason"]>;

/** A page that is not completed, with its lesson. */
export interface RemainingPage {
  page: Page;
  lesson: Lesson;
}

/** Returns the pages that are not completed, in reading order. */
export function remainingPages(modules: readonly Module[]): RemainingPage[] {
  return modules.flatMap(({ lessons }) =>
    lessons.flatMap((lesson) => lesson.pages.flatMap((page) => (page.isCompleted ? [] : [{ page, lesson }]))),
  );
}

/**
 * Splits the remaining pages at the one where the learner continues, `nextId`: that page, and the ones before it that were skipped.
 * Locked pages, and quizzes that take no attempts, are neither.
 */
export function resumeAt(
  left: readonly RemainingPage[],
  nextId: string | undefined,
): { next: Page | undefined; skipped: RemainingPage[] } {
  const open = left.filter(({ page }) => !isStuck(page));
  const at = Math.max(
    0,
    open.findIndex(({ page }) => page.id === nextId),
  );
  return { next: open[at]?.page, skipped: open.slice(0, at) };
}

/** Returns what is missing in a lesson: «Осталось прочитать 2 страницы и пройти 1 тест». Null for a completed lesson. */
export function remainingInLesson(lesson: Lesson, language: string, t: TFunction): string | null {
  const missing = lesson.pages.filter((page) => !page.isCompleted);
  const quizzes = missing.filter((page) => page.kind === "QUIZ").length;
  const assignments = missing.filter((page) => page.kind === "ASSIGNMENT").length;
  const pages = missing.length - quizzes - assignments;
  const parts = [
    pages > 0 ? t("learning.left.read", { count: pages }) : [],
    quizzes > 0 ? t("learning.left.pass", { count: quizzes }) : [],
    assignments > 0 ? t("learning.left.handIn", { count: assignments }) : [],
  ].flat();
  if (parts.length === 0) return null;
  return t("learning.left.lesson", { what: new Intl.ListFormat(language).format(parts) });
}

/** Returns `pageState`, or failed for a quiz or an assignment that was submitted and not passed, unless answers wait for grading. */
export function stateOf(page: Page): ReturnType<typeof pageState> | "failed" {
  const isFailed =
    !isLocked(page) &&
    !page.isCompleted &&
    page.reason != null &&
    page.reason.bestPercent !== null &&
    !page.reason.isWaiting;
  return isFailed ? "failed" : pageState(page);
}

/** Whether the page has no link, because its contents are withheld. */
export function isLocked({ timeline }: Pick<Page, "timeline">): boolean {
  return timeline.state === "LOCKED";
}

/** Returns why a page is not completed: «Тест не пройден, лучший результат — 40 %, осталась 1 попытка». */
export function incompleteReason(kind: PageKind, reason: Reason, t: TFunction): string {
  if (reason.kind === "NOT_VISITED") return t("learning.reason.notVisited");
  if (reason.kind === "LOCKED") return t("learning.reason.locked");
  const { bestPercent, attemptsLeft, isWaiting, isReturned } = reason;
  const words = kind === "ASSIGNMENT" ? "assignment" : "quiz";
  if (isWaiting) return t(`learning.reason.${words}.waiting`);
  return [
    isReturned
      ? t("learning.reason.assignment.returned")
      : bestPercent === null
        ? t(`learning.reason.${words}.noAttempt`)
        : t(`learning.reason.${words}.best`, { percent: bestPercent }),
    attemptsLeft === null ? [] : t("learning.reason.attemptsLeft", { count: attemptsLeft }),
  ]
    .flat()
    .join(", ");
}
