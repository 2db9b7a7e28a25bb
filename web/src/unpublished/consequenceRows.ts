import type { LearnerConsequencesShownFragment } from "./Publishing.generated";

type Learner = LearnerConsequencesShownFragment;
type QuizPage = Pick<Learner["pages"][number]["page"], "title" | "number">;

interface Score {
  score: number;
  maxScore: number;
  isPassed: boolean;
}
interface Course {
  percent: number;
  /** Null where publishing does not change it. */
  isCompleted: boolean | null;
}
interface Change<T> {
  before: T;
  after: T;
}

/** One thing that publishing changes for a learner; null where there is no result. */
export type ConsequenceRow =
  | ({ kind: "quiz"; id: string; page: QuizPage } & Change<Score | null>)
  | ({ kind: "course"; id: string } & Change<Course>)
  | ({ kind: "grade"; id: string } & Change<number | null>);

/** What publishing changes for a learner: the results of quizzes, then what follows from them in the course. */
export function consequenceRows(learner: Learner): ConsequenceRow[] {
  const { progressBefore, progressAfter, isCompletedBefore, isCompletedAfter, gradeBefore, gradeAfter } =
    learner;
  const rows: ConsequenceRow[] = learner.pages.map((one) => ({
    kind: "quiz",
    id: one.page.id,
    page: one.page,
    before: scoreOf(one.scoreBefore, one.maxScoreBefore, one.passedBefore),
    after: scoreOf(one.scoreAfter, one.maxScoreAfter, one.passedAfter),
  }));
  const isOther = isCompletedBefore !== isCompletedAfter;
  if (isOther || progressBefore !== progressAfter)
    rows.push({
      kind: "course",
      id: "course",
      before: { percent: progressBefore, isCompleted: isOther ? isCompletedBefore : null },
      after: { percent: progressAfter, isCompleted: isOther ? isCompletedAfter : null },
    });
  if (gradeBefore !== gradeAfter)
    rows.push({ kind: "grade", id: "grade", before: gradeBefore, after: gradeAfter });
  return rows;
}

const scoreOf = (score: number | null, maxScore: number | null, isPassed: boolean): Score | null =>
  score === null || maxScore === null ? null : { score, maxScore, isPassed };
