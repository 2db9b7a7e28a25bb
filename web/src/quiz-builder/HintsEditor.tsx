import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isFilledDocument } from "../content/filled";
import { useTranslation } from "../i18n/useTranslation";
import { HINTS_MAX } from "../limits.generated";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { offerUndo } from "../ui/undo";
import classes from "./HintsEditor.module.css";
import { emptyDocument } from "./model";
import { AddButton, type ProblemAt } from "./parts";
import { RichField } from "./RichField";

interface HintsEditorProps {
  hints: readonly unknown[];
  /** Changes the hints as they are at that time. */
  onEdit: (change: (hints: readonly unknown[]) => unknown[]) => void;
  problemAt: ProblemAt;
}

/** Edits the hints that learners may open one by one while they answer. */
export function HintsEditor({ hints, onEdit, problemAt }: HintsEditorProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  /** The place of the hint that was just added, so its field takes the focus. */
  const [added, setAdded] = useState<number | null>(null);
  /** How often hints moved to other places: their fields then start over with them. */
  const [moves, setMoves] = useState(0);
  const moved = () => {
    setAdded(null);
    setMoves((count) => count + 1);
  };
  const remove = (index: number) => {
    const removed = hints[index];
    flushSync(() => {
      moved();
      onEdit((now) => now.filter((_, at) => at !== index));
    });
    // The button above, or the one that adds a hint.
    root.current
      ?.querySelectorAll<HTMLElement>(":scope > button, :scope > div > button")
      [Math.max(index - 1, 0)]?.focus();
    if (!isFilledDocument(removed)) return;
    offerUndo(t("quizBuilder.hints.removed", { number: index + 1 }), () => {
      onEdit((now) => (now.length < HINTS_MAX ? now.toSpliced(index, 0, removed) : [...now]));
      moved();
    });
  };
  return (
    <div ref={root} className={classes.hints}>
      {hints.map((hint, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hints have no ids; `moves` starts their fields over
        <div key={`${moves}-${index}`} className={classes.hint}>
          <RichField
            autoFocus={index === added}
            label={t("quizBuilder.hints.label", { number: index + 1 })}
            isLabelSeen
            value={hint}
            onChange={(changed) => onEdit((now) => now.map((one, at) => (at === index ? changed : one)))}
            problem={problemAt(`hints[${index}]`)}
          />
          <IconButton
            className={classes.remove}
            aria-label={t("quizBuilder.hints.remove", { number: index + 1 })}
            onClick={() => remove(index)}
          >
            <IconClose size={18} />
          </IconButton>
        </div>
      ))}
      {hints.length < HINTS_MAX && (
        <AddButton
          onClick={() => {
            setAdded(hints.length);
            onEdit((now) => [...now, emptyDocument()]);
          }}
        >
          {t("quizBuilder.hints.add")}
        </AddButton>
      )}
    </div>
  );
}
