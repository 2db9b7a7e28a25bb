import { expect, test } from "vitest";
import { consequenceRows } from "./consequenceRows";
import type { LearnerConsequencesShownFragment } from "./Publishing.generated";

const learner = (over: Partial<LearnerConsequencesShownFragment> = {}): LearnerConsequencesShownFragment => ({
  user: { id: "u1", fullName: "Иванова Анна", email: "anna@example.com" },
  progressBefore: 40,
  progressAfter: 40,
  isCompletedBefore: false,
  isCompletedAfter: false,
  gradeBefore: null,
  gradeAfter: null,
  pages: [],
  ...over,
});
const page = { id: "p1", title: "Тест", number: 2 };

test("what stays the same has no row", () => {
  expect(consequenceRows(learner())).toEqual([]);
  expect(consequenceRows(learner({ gradeBefore: 50, gradeAfter: 50 }))).toEqual([]);
});

test("quizzes come first, then the progress and the grade", () => {
  const rows = consequenceRows(
    learner({
      progressAfter: 100,
      isCompletedAfter: true,
      gradeAfter: 71.5,
      pages: [
        {
          page,
          scoreBefore: 6,
          maxScoreBefore: 10,
          passedBefore: false,
          scoreAfter: 8,
          maxScoreAfter: 10,
          passedAfter: true,
        },
      ],
    }),
  );
  expect(rows).toEqual([
    {
      kind: "quiz",
      id: "p1",
      page,
      before: { score: 6, maxScore: 10, isPassed: false },
      after: { score: 8, maxScore: 10, isPassed: true },
    },
    {
      kind: "course",
      id: "course",
      before: { percent: 40, isCompleted: false },
      after: { percent: 100, isCompleted: true },
    },
    { kind: "grade", id: "grade", before: null, after: 71.5 },
  ]);
});

test("a progress that changes without the completion says nothing of it", () => {
  const [row] = consequenceRows(learner({ progressAfter: 60 }));
  expect(row).toMatchObject({ before: { percent: 40, isCompleted: null }, after: { isCompleted: null } });
});
