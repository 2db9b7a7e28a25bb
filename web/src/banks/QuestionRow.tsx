import { useFragment } from "@apollo/client/react";
import { memo, type ReactNode } from "react";
import { Document } from "../content/Document";
import { isFilledDocument } from "../content/filled";
import { useTranslation } from "../i18n/useTranslation";
import { IconChevron } from "../ui/icons";
import { Tag } from "../ui/Rows";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { Bank_QuestionFragmentDoc } from "./Bank.generated";
import { askedIn, authorQuestion, type BankQuestion, wordsOf } from "./bank";
import classes from "./QuestionRow.module.css";

interface QuestionRowProps {
  /** The question as the list has it. */
  listed: BankQuestion;
  isOpen: boolean;
  onToggle: () => void;
  /** Null when questions cannot be selected. */
  isSelected: boolean | null;
  onSelect: (isSelected: boolean) => void;
  /** What is shown of the open question, as the server has it now. */
  children: (stored: BankQuestion) => ReactNode;
}

/** A question in the list of its bank: what it asks, its kind and its tags; the open one below. */
export function QuestionRow({ listed, isOpen, onToggle, isSelected, onSelect, children }: QuestionRowProps) {
  const { t } = useTranslation();
  // The open question may be in no list any more, such as after a tag was taken from it.
  const now = useFragment({
    fragment: Bank_QuestionFragmentDoc,
    fragmentName: "Bank_question",
    from: { __typename: "BankQuestion", id: listed.id },
  });
  const stored = now.dataState === "complete" ? now.data : listed;
  const question = authorQuestion(stored);
  const words = wordsOf(question) || t("banks.bank.untitled");
  return (
    <li className={classes.row} data-question={listed.id} data-open={isOpen || undefined}>
      <div className={classes.head} data-selected={isSelected || undefined}>
        {isSelected !== null && (
          <input
            type="checkbox"
            className={classes.check}
            aria-label={t("banks.selection.select", { words })}
            checked={isSelected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
        )}
        <div className={classes.summary}>
          <h2 className={classes.heading}>
            <button
              type="button"
              className={classes.opener}
              data-header
              aria-expanded={isOpen}
              onClick={onToggle}
            >
              <VisuallyHidden>{words}</VisuallyHidden>
              <IconChevron size={16} className={classes.chevron} />
            </button>
          </h2>
          {isOpen || !isFilledDocument(askedIn(question)) ? (
            <p className={classes.words} aria-hidden="true">
              {words}
            </p>
          ) : (
            <Preview content={askedIn(question)} />
          )}
          <p className={classes.facts}>
            <span>{t(`quizBuilder.kinds.${question.type}`)}</span>
            <span>{t("quiz.points", { count: question.points })}</span>
            {!stored.isComplete && (
              <span className={classes.lacking} title={t("banks.bank.incompleteHint")}>
                {t("banks.bank.incomplete")}
              </span>
            )}
            {stored.tags.map((name) => (
              <Tag quiet key={name}>
                {name}
              </Tag>
            ))}
          </p>
        </div>
      </div>
      {isOpen && children(stored)}
    </li>
  );
}

/** The beginning of a prompt with its formulas and pictures. Its button has the words. */
const Preview = memo(function Preview({ content }: { content: unknown }) {
  return (
    <div className={classes.preview} inert aria-hidden="true">
      <Document content={content} />
    </div>
  );
});
