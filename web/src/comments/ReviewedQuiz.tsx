import { QuestionView } from "../banks/QuestionView";
import { useTranslation } from "../i18n/useTranslation";
import { readQuiz } from "../quiz-builder/model";
import classes from "./Reviewing.module.css";

/** The questions of a quiz with their answers, for those who do not change them. */
export function ReviewedQuiz({ quiz }: { quiz: unknown }) {
  const { t } = useTranslation();
  return (
    <section className={classes.quiz} aria-labelledby="reviewed-quiz">
      <h2 id="reviewed-quiz">{t("compare.quiz")}</h2>
      {readQuiz(quiz).questions.map((question, index) => (
        <section key={question.id}>
          <h3>{t("compare.question", { number: index + 1 })}</h3>
          <QuestionView question={question} />
        </section>
      ))}
    </section>
  );
}
