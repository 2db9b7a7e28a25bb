import { describe, expect, it } from "vitest";
import type { PageKind, TimelineState } from "../../api/schema.generated";
import type { CourseTree_CourseFragment } from "../../course/CourseTree.generated";
import type { SkippedReasonsQuery } from "./Skipped.generated";
import { pagesBefore, skippedOf } from "./skipped";

interface Some {
  id: string;
  done?: boolean;
  kind?: PageKind;
  state?: TimelineState;
  published?: boolean;
}

const course = (...pages: Some[]) =>
  ({
    id: "c",
    modules: [
      {
        id: "m",
        lessons: [
          {
            id: "l",
            pages: pages.map(({ id, done = false, kind = "CONTENT", state = "OPEN", published = true }) => ({
              id,
              kind,
              published,
              isCompleted: done,
              timeline: { state },
            })),
          },
        ],
      },
    ],
  }) as unknown as CourseTree_CourseFragment;

const reasons = (quizzes: Record<string, { attemptsLeft?: number; isWaiting?: boolean }>) =>
  ({
    course: {
      modules: [
        {
          lessons: [
            {
              pages: Object.entries(quizzes).map(([id, { attemptsLeft = null, isWaiting = false }]) => ({
                id,
                reason: { kind: "QUIZ_NOT_PASSED", attemptsLeft, isWaiting },
                timeline: { state: "OPEN" },
              })),
            },
          ],
        },
      ],
    },
  }) as unknown as SkippedReasonsQuery;

const ids = (pages: { id: string }[]) => pages.map(({ id }) => id);

describe("skipped pages", () => {
  it("are those before the page that are not completed", () => {
    const before = pagesBefore(
      course({ id: "a" }, { id: "b", done: true }, { id: "c" }, { id: "here" }, { id: "later" }),
      "here",
    );
    expect(ids(skippedOf(before, undefined))).toEqual(["a", "c"]);
  });

  it("are neither locked nor drafts", () => {
    const pages = course({ id: "a", state: "LOCKED" }, { id: "b", published: false }, { id: "here" });
    expect(pagesBefore(pages, "here")).toEqual([]);
  });

  it("are none before a page that the course does not contain", () => {
    expect(pagesBefore(course({ id: "a" }), "elsewhere")).toEqual([]);
  });

  it("are quizzes only if the learner can do something on them", () => {
    const before = pagesBefore(
      course(
        { id: "open", kind: "QUIZ" },
        { id: "waits", kind: "ASSIGNMENT" },
        { id: "over", kind: "QUIZ" },
        { id: "here" },
      ),
      "here",
    );
    const known = reasons({ open: {}, waits: { isWaiting: true }, over: { attemptsLeft: 0 } });
    expect(ids(skippedOf(before, known))).toEqual(["open"]);
    // Not before it is known.
    expect(skippedOf(before, undefined)).toEqual([]);
  });
});
