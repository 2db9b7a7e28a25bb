import { useNow } from "../dates/useNow";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./AnswerPanel.module.css";
import type { Assessment } from "./queue";

/** The points and the comment of an assessment, with who gave them and when. */
export function AssessmentFacts({ assessment, maxPoints }: { assessment: Assessment; maxPoints: number }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { points, comment, by, at } = assessment;
  return (
    <>
      <p className={classes.given}>{t("quiz.pointsOf", { points, count: maxPoints })}</p>
      {comment && <p className={classes.comment}>{comment}</p>}
      <p className={classes.who}>
        {by ? by.fullName || t("grading.noName") : t("grading.deletedAccount")}
        {", "}
        <time dateTime={at}>{formatDateTime(at, now, i18n.language, t)}</time>
      </p>
    </>
  );
}
