import { QuestionView } from "../banks/QuestionView";
import { useTranslation } from "../i18n/useTranslation";
import { durationText } from "../quiz/timed/durationText";
import { handInOf, questionCount, readQuiz } from "../quiz-builder/model";
import classes from "./SnapshotContents.module.css";

/** A quiz or an assignment with its rules and its right answers, for reading. */
export default function QuizText({ quiz: stored }: { quiz: unknown }) {
  const { t } = useTranslation();
  const quiz = readQuiz(stored);
  const { questions, pass_percent, time_limit_seconds } = quiz;
  const isAssignment = handInOf(quiz) !== null;
  if (questions.length === 0) return <p className={classes.dim}>{t("snapshots.page.noQuestions")}</p>;
  return (
    <>
      <p className={classes.rules}>
        {!isAssignment && <span>{t("quiz.questions", { count: questionCount(questions) })}</span>}
        {time_limit_seconds !== null && (
          <span>{t("quiz.timed.forLearners", { time: durationText(time_limit_seconds, t) })}</span>
        )}
        {pass_percent > 0 && <span>{t("quiz.toPass", { percent: pass_percent })}</span>}
      </p>
      <ol className={classes.questions}>
        {questions.map((question) => (
          <li key={question.id}>
            {question.type === "draw" ? (
              <p className={classes.dim}>
                {t("quizBuilder.draw.summary", { count: question.count })}
                {", "}
                {t("quizBuilder.draw.each", { count: question.points })}
              </p>
            ) : (
              <QuestionView question={question} />
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
