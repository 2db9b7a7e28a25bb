import { Document } from "../../content/Document";
import { useTranslation } from "../../i18n/useTranslation";
import { IconCheck } from "../../ui/icons";
import { IconClock } from "../../ui/timeIcons";
import { fromGiven } from "../answers";
import type { Answer, Question, QuizPageState, Result } from "../model";
import { VerdictTag } from "../Results";
import { Reviewed } from "../Reviewed";
import { hiddenBecause } from "../verdict";
import classes from "./Checked.module.css";
import { stepOf } from "./step";

/** Whether a checked answer is right, and its points. */
export function CheckedVerdict({ result }: { result: Result }) {
  const { t } = useTranslation();
  const step = stepOf(result);
  if (step === "waiting" || step === "fixed" || step === "open") {
    const Icon = step === "waiting" ? IconClock : IconCheck;
    return (
      <span className={classes.plain} data-step={step}>
        <Icon size={18} />
        {t(step === "waiting" ? "quiz.stepwise.byTeacher" : "quiz.stepwise.taken")}
      </span>
    );
  }
  return (
    <>
      <VerdictTag verdict={step} />
      {result.points !== null && (
        <span className={classes.points}>
          {t("quiz.pointsOf", { points: result.points, count: result.maxPoints })}
        </span>
      )}
    </>
  );
}

interface CheckedDetailsProps {
  /** The page of the attempt, which says why the right answer is hidden. Without it, nothing is hidden. */
  page?: QuizPageState;
  question: Question;
  result: Result;
  answer: Answer;
}

/** The right answer, feedback and explanation of a checked question, as far as the quiz reveals them. */
export function CheckedDetails({ page, question, result, answer }: CheckedDetailsProps) {
  const { t } = useTranslation();
  const { correct, correctAnswer, optionFeedback, zones, rightPlaces, explanation } = result;
  const hidden = page?.quiz && !result.isWaiting ? hiddenBecause(page.quiz, page.attempts) : null;
  const hasMore =
    (correctAnswer !== null && correct === false) || optionFeedback.length > 0 || zones.length > 0;
  if (!hasMore && explanation == null && hidden === null) return null;
  return (
    <div className={classes.details}>
      {hasMore && (
        <div>
          <h4 className={classes.heading}>{t("quiz.stepwise.review")}</h4>
          <Reviewed
            question={question}
            answer={answer}
            right={correctAnswer && fromGiven(correctAnswer)}
            feedback={optionFeedback}
            zones={zones}
            rightPlaces={rightPlaces}
          />
        </div>
      )}
      {explanation != null && (
        <div className={classes.explanation}>
          <h4>{t("quiz.explanation")}</h4>
          <Document content={explanation} />
        </div>
      )}
      {hidden && <p className={classes.hidden}>{t(`quiz.hidden.${hidden}`)}</p>}
    </div>
  );
}
