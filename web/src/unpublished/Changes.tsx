import type { TFunction } from "i18next";
import { Compare } from "../editor/compare/Compare";
import type { PageText } from "../editor/pageText";
import { useTranslation } from "../i18n/useTranslation";
import { handInOf, readQuiz } from "../quiz-builder/model";
import classes from "./Changes.module.css";
import { type QuizChanges, quizChanges } from "./quizChanges";

interface Side {
  heading: string;
  /** Who wrote the text, and when. */
  about: string;
  text: Pick<PageText, "title" | "content" | "quiz">;
}

/** What changes from one text of a page to another: title, content and questions. */
export function Changes({ before, after }: { before: Side; after: Side }) {
  const { t } = useTranslation();
  const quiz = quizChanges(before.text.quiz, after.text.quiz);
  const sideOf = ({ heading, about, text: { title, content } }: Side) => ({ heading, about, title, content });
  return (
    <div className={classes.changes}>
      {quiz && (
        <p className={classes.quiz}>
          {handInOf(readQuiz(after.text.quiz))
            ? t("unpublished.quiz.task")
            : t("unpublished.quiz.changed", { what: wordsOf(quiz, t) })}
        </p>
      )}
      <Compare mine={sideOf(before)} theirs={sideOf(after)} />
    </div>
  );
}

function wordsOf({ edited, added, removed, order, settings }: QuizChanges, t: TFunction): string {
  return [
    edited > 0 && t("unpublished.quiz.edited", { count: edited }),
    added > 0 && t("unpublished.quiz.added", { count: added }),
    removed > 0 && t("unpublished.quiz.removed", { count: removed }),
    order && t("unpublished.quiz.order"),
    settings && t("unpublished.quiz.settings"),
  ]
    .filter(Boolean)
    .join(", ");
}
