import type { TFunction } from "i18next";
import { useTranslation } from "../i18n/useTranslation";
import { shortText } from "../quiz/shortText";
import { IconChevron } from "../ui/icons";
import { isDraw, totalPoints } from "./draws";
import type { AuthorQuestion, DrawQuestion } from "./model";
import classes from "./QuizBuilder.module.css";
import type { Origin, QuizBank } from "./useBanks";

interface QuestionHeaderProps {
  question: AuthorQuestion;
  /** Position from 1. */
  number: number;
  isOpen: boolean;
  isIncomplete: boolean;
  /** The banks that the author can read; null until they are known. */
  banks: readonly QuizBank[] | null;
  /** Null for a question that comes from no bank. */
  origin: Origin | null;
  onToggle: () => void;
}

/** The summary line of a question or a draw, which expands it. */
export function QuestionHeader(props: QuestionHeaderProps) {
  const { question, number, isOpen, isIncomplete, banks, origin, onToggle } = props;
  const { t } = useTranslation();
  const words = isDraw(question) ? drawWords(question, banks, t) : questionWords(question);
  return (
    <h3 className={classes.header}>
      <button type="button" data-header aria-expanded={isOpen} onClick={onToggle}>
        <IconChevron size={16} className={classes.chevron} />
        <span className={classes.number}>{number}.</span>
        <span className={classes.words}>
          {words || <span className={classes.untitled}>{t("quizBuilder.untitled", { number })}</span>}
          <span className={classes.kind}>
            {factsOf(question, t).join("\u00a0· ")}
            {origin && (
              <span className={classes.origin}>
                {origin.bank
                  ? t("quizBuilder.source.of", { bank: origin.bank })
                  : t("quizBuilder.source.badge")}
                {origin.isEdited && `, ${t("quizBuilder.source.edited")}`}
              </span>
            )}
            {origin?.newer && <span className={classes.newer}>{t("quizBuilder.source.newer")}</span>}
            {isIncomplete && (
              <span className={classes.lacking}>
                {t(isDraw(question) ? "quizBuilder.draw.incomplete" : "quizBuilder.incomplete")}
              </span>
            )}
          </span>
        </span>
      </button>
    </h3>
  );
}

/** The name of a question in lists; empty for one without text. */
export function questionWords(question: AuthorQuestion, most = 90): string {
  return (
    shortText(question.prompt, most) || (question.type === "fill_blank" ? shortText(question.text, most) : "")
  );
}

/** The name of a draw in lists. */
export function drawWords(
  { bank_id, count }: DrawQuestion,
  banks: readonly QuizBank[] | null,
  t: TFunction,
): string {
  const bank = banks?.find(({ id }) => id === bank_id)?.title;
  return bank === undefined
    ? t("quizBuilder.draw.summary", { count })
    : t("quizBuilder.draw.summaryOf", { count, bank });
}

function factsOf(question: AuthorQuestion, t: TFunction): string[] {
  if (!isDraw(question))
    return [t(`quizBuilder.kinds.${question.type}`), t("quiz.points", { count: question.points })];
  const { tags, count, points } = question;
  return [
    ...(tags.length > 0 ? [t("quizBuilder.draw.tagged", { tags: tags.join(", "), count: tags.length })] : []),
    count === 1 ? t("quiz.points", { count: points }) : t("quizBuilder.draw.each", { count: points }),
    ...(count === 1 ? [] : [t("quizBuilder.draw.total", { count: totalPoints([question]) })]),
  ];
}
