import { useNow } from "../dates/useNow";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./AnswerPanel.module.css";
import { MarkLines } from "./MarkLines";
import type { Assessment, OpenAnswer } from "./queue";

interface Props {
  assessment: Assessment;
  answer: Pick<OpenAnswer, "maxPoints" | "rubric">;
}

/** The points, the marks and the comment of an assessment, with who gave them and when. */
export function AssessmentFacts({ assessment, answer }: Props) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { points, comment, marks, pins, by, at } = assessment;
  return (
    <>
      <p className={classes.given}>
        {points === null ? t("grading.return.was") : t("quiz.pointsOf", { points, count: answer.maxPoints })}
      </p>
      <MarkLines rubric={answer.rubric} marks={marks} pins={pins.length} />
      {comment && <p className={classes.comment}>{comment}</p>}
      <p className={classes.who}>
        {by ? by.fullName || t("grading.noName") : t("grading.deletedAccount")}
        {", "}
        <time dateTime={at}>{formatDateTime(at, now, i18n.language, t)}</time>
      </p>
    </>
  );
}
