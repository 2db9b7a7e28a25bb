import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isFilledDocument } from "../content/filled";
import { useTranslation } from "../i18n/useTranslation";
import { HINTS_MAX } from "../limits.generated";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { showToast } from "../ui/toasts";
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
  const remove = (index: number) => {
    const removed = hints[index];
    flushSync(() => {
      setAdded(null);
      onEdit((now) => now.filter((_, at) => at !== index));
    });
    // The button above, or the one that adds a hint.
    root.current
      ?.querySelectorAll<HTMLElement>(":scope > button, :scope > div > button")
      [Math.max(index - 1, 0)]?.focus();
    if (!isFilledDocument(removed)) return;
    offerUndo(t("quizBuilder.hints.removed", { number: index + 1 }), () => {
      let isFull = false;
      onEdit((now) => {
        const kept = withRoom(now);
        isFull = kept === null;
        return kept?.toSpliced(index, 0, removed) ?? [...now];
      });
      if (isFull)
        showToast({
          kind: "failure",
          title: t("errors.toastFailure"),
          text: t("quizBuilder.hints.full", { max: HINTS_MAX }),
        });
    });
  };
  return (
    <div ref={root} className={classes.hints}>
      {hints.map((hint, index) => (
        <div key={keyOf(hint)} className={classes.hint}>
          <RichField
            autoFocus={index === added}
            label={t("quizBuilder.hints.label", { number: index + 1 })}
            isLabelSeen
            value={hint}
            onChange={(changed) => {
              takeKey(changed, hint);
              onEdit((now) => now.map((one, at) => (at === index ? changed : one)));
            }}
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

/** Hints have no ids: a document has a key, which its field hands on to what is written there. Another document is another field. */
const keys = new WeakMap<object, number>();
let lastKey = 0;

function keyOf(hint: unknown): number {
  const known = keys.get(hint as object);
  if (known !== undefined) return known;
  lastKey += 1;
  keys.set(hint as object, lastKey);
  return lastKey;
}

function takeKey(changed: unknown, hint: unknown): void {
  keys.set(changed as object, keyOf(hint));
}

/** The hints with room for another one, in place of an empty one if need be; null when there is no room. */
function withRoom(hints: readonly unknown[]): readonly unknown[] | null {
  if (hints.length < HINTS_MAX) return hints;
  const empty = hints.findLastIndex((hint) => !isFilledDocument(hint));
  return empty < 0 ? null : hints.toSpliced(empty, 1);
}
