import type { CourseTree_CourseFragment } from "../../course/CourseTree.generated";
import { isStuck } from "../../course/stuck";
import type { SkippedReasonsQuery } from "./Skipped.generated";

type Page = CourseTree_CourseFragment["modules"][number]["lessons"][number]["pages"][number];
type ReasonedPage = SkippedReasonsQuery["course"]["modules"][number]["lessons"][number]["pages"][number];

/** The pages before this one that are not completed and could be, in reading order; pages that are locked are not skipped. */
export function pagesBefore(course: CourseTree_CourseFragment, pageId: string): Page[] {
  const all = course.modules.flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages));
  return all
    .slice(
      0,
      Math.max(
        0,
        all.findIndex(({ id }) => id === pageId),
      ),
    )
    .filter((page) => page.published && !page.isCompleted && page.timeline.state !== "LOCKED");
}

/**
 * Without those of them on which the learner can do nothing now: quizzes that wait for grading or take no more attempts. Until the reasons
 * are known, a quiz that the learner has opened is not called skipped.
 */
export function skippedOf(before: readonly Page[], reasons: SkippedReasonsQuery | undefined): Page[] {
  const known = new Map<string, ReasonedPage>(
    reasons?.course.modules.flatMap(({ lessons }) =>
      lessons.flatMap(({ pages }) => pages.map((page) => [page.id, page] as const)),
    ),
  );
  return before.filter((page) => {
    if (page.kind === "CONTENT") return true;
    const reasoned = known.get(page.id);
    return reasoned !== undefined && !isStuck(reasoned);
  });
}
