import { lazy, Suspense, useState } from "react";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { QUESTIONS_MAX } from "../limits.generated";
import { IconChevron } from "../ui/icons";
import { useMenu } from "../ui/Menu";
import { CopyDialog } from "./CopyDialog";
import { newDraw } from "./draws";
import { type AuthorQuestion, KINDS, type Kind, questionCount, withPasted } from "./model";
import { PasteDialog } from "./PasteDialog";
import classes from "./QuizBuilder.module.css";
import { takenFrom } from "./source";

const BankPicker = lazy(() =>
  withTexts(import("../banks/BankPicker"), "banks").then(({ BankPicker }) => ({ default: BankPicker })),
);

/** The text to begin with, and the question whose prompt it was pasted into. */
export interface Pasting {
  text: string;
  into: string | null;
}

interface AddQuestionsProps {
  pageId: string;
  questions: readonly AuthorQuestion[];
  /** Adds an empty question. */
  onAdd: (kind: Kind) => void;
  /** Takes all questions, and the id of the first of those that were added. */
  onAdded: (questions: AuthorQuestion[], first: string | undefined) => void;
  /** The text that is made into questions; null while there is none. */
  pasting: Pasting | null;
  onPasting: (pasting: Pasting | null) => void;
}

/** Adds questions: new ones by their kinds, and those that exist already in a bank, in another quiz or as a text. */
export function AddQuestions({ pageId, questions, onAdd, onAdded, pasting, onPasting }: AddQuestionsProps) {
  const { t } = useTranslation();
  const [source, setSource] = useState<"bank" | "quiz" | null>(null);
  const { button, menu } = useMenu({
    label: t("quizBuilder.ready.label"),
    align: "start",
    items: () => [
      { label: t("quizBuilder.ready.bank"), onSelect: () => setSource("bank") },
      { label: t("quizBuilder.copy.open"), onSelect: () => setSource("quiz") },
      { label: t("quizBuilder.paste.open"), onSelect: () => onPasting({ text: "", into: null }) },
    ],
  });
  const close = () => setSource(null);
  const append = (added: AuthorQuestion[]) => {
    close();
    const fits = (_: AuthorQuestion, index: number) =>
      questionCount([...questions, ...added.slice(0, index + 1)]) <= QUESTIONS_MAX;
    onAdded([...questions, ...added.filter(fits)], added[0]?.id);
  };
  return (
    <>
      <fieldset className={classes.add} disabled={questionCount(questions) >= QUESTIONS_MAX}>
        <legend>{t("quizBuilder.add")}</legend>
        {KINDS.map((kind) => (
          <button key={kind} type="button" onClick={() => onAdd(kind)}>
            {t(`quizBuilder.kinds.${kind}`)}
          </button>
        ))}
        <button {...button} className={classes.ready}>
          {t("quizBuilder.ready.open")}
          <IconChevron size={14} />
        </button>
      </fieldset>
      {menu}
      {source === "bank" && (
        <Suspense fallback={null}>
          <BankPicker
            onClose={close}
            onTake={(taken) =>
              append(
                taken.map(({ bankQuestionId, ...one }) => takenFrom({ ...one, questionId: bankQuestionId })),
              )
            }
            onDraw={(draw) => append([newDraw(draw)])}
          />
        </Suspense>
      )}
      {source === "quiz" && <CopyDialog pageId={pageId} onClose={close} onCopy={append} />}
      {pasting && (
        <PasteDialog
          subject={pageId}
          initialText={pasting.text}
          onClose={() => onPasting(null)}
          onAdd={(added) => {
            onPasting(null);
            onAdded(withPasted(questions, added, pasting.into), added[0]?.id);
          }}
        />
      )}
    </>
  );
}
