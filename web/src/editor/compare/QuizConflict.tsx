import type { ReactNode } from "react";
import { QuestionView } from "../../banks/QuestionView";
import { useTranslation } from "../../i18n/useTranslation";
import { type AuthorQuestion, readQuiz } from "../../quiz-builder/model";
import { diffQuiz } from "./diffQuiz";
import { FieldChanges } from "./FieldChanges";
import type { MergedQuiz, StoredQuestion } from "./mergeQuizzes";
import type { ChoicePlace } from "./mergeTexts";
import styles from "./Parts.module.css";

interface Props {
  quiz: MergedQuiz;
  /** The headings of both texts. */
  headings: { mine: string; theirs: string };
  choose: (place: ChoicePlace, label: string, hasBoth: boolean) => ReactNode;
}

/** The questions and settings that both texts have changed, each with its choice. */
export function QuizConflict({ quiz, headings, choose }: Props) {
  const { t } = useTranslation();
  if (quiz.kind === "whole")
    return quiz.quiz.kind === "both" ? choose("quiz", t("editor.conflict.chooseQuiz"), false) : null;
  const { settings } = quiz;
  const numberOf = (id: string) => quiz.questions.findIndex((question) => question.id === id) + 1;
  return (
    <>
      {settings.kind === "both" && (
        <div className={styles.choice}>
          <section className={styles.part} aria-label={t("compare.quizSettings")}>
            <p className={styles.about}>
              {t("editor.conflict.settings", { before: headings.theirs, after: headings.mine })}
            </p>
            <FieldChanges fields={diffQuiz(settings.theirs, settings.mine).settings} />
          </section>
          {choose("settings", t("editor.conflict.chooseSettings"), false)}
        </div>
      )}
      {quiz.questions.map((question) => {
        if (question.kind === "settled") return null;
        const label = t("compare.question", { number: numberOf(question.id) });
        return (
          <div key={question.id} className={styles.choice}>
            <div className={styles.pair}>
              <Side question={question.mine} label={label} heading={headings.mine} />
              <Side question={question.theirs} label={label} heading={headings.theirs} />
            </div>
            {choose(
              question.id,
              t("editor.conflict.chooseQuestion", { number: numberOf(question.id) }),
              false,
            )}
          </div>
        );
      })}
    </>
  );
}

function Side({
  question,
  label,
  heading,
}: {
  question: StoredQuestion | null;
  label: string;
  heading: string;
}) {
  const { t } = useTranslation();
  const [shown] = question
    ? readQuiz({ questions: [question] as unknown as AuthorQuestion[] }).questions
    : [];
  return (
    <section className={styles.part} data-empty={!shown || undefined} aria-label={`${label}: ${heading}`}>
      <p className={styles.whose} aria-hidden="true">
        {heading}
      </p>
      <p className={styles.about}>{label}</p>
      {shown ? (
        <QuestionView question={shown} />
      ) : (
        <p className={styles.about}>{t("editor.conflict.questionRemoved")}</p>
      )}
    </section>
  );
}
