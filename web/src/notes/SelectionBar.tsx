import { useSelector } from "@tanstack/react-store";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { NoteColor } from "../api/schema.generated";
import { selectedIn, useSelected } from "../comments/SelectionButton";
import { selectionBar, showBar } from "../comments/selectionBar";
import type { ShownText } from "../comments/shownText";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { useOnline } from "../ui/useOnline";
import { IconNotes } from "./icons";
import { COLORS, MAX_QUOTE } from "./note";
import classes from "./SelectionBar.module.css";

/** Words that were selected, as the server names them. */
export interface SelectedWords {
  block: number;
  start: number;
  quote: string;
}

interface Props {
  text: ShownText;
  /** The words of a selected range; null if they cannot be noted. */
  wordsOf: (block: number, range: Range) => SelectedWords | null;
  /** Resolves with whether the words are highlighted. */
  onHighlight: (words: SelectedWords, color: NoteColor) => Promise<boolean>;
  onNote: (words: SelectedWords) => void;
}

/** Room between the bar, the selection and the edges of the window, in pixels. */
const GAP = 8;

/** The bar at selected words of a page: highlights them, notes them, or asks about them. Alt+N notes them from the keyboard. */
export function SelectionBar({ text, wordsOf, onHighlight, onNote }: Props) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const action = useSelector(selectionBar, (state) => state.action);
  const [selected, forget] = useSelected(text);
  const [isBusy, setBusy] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => showBar(), []);
  const mayNote = (words: SelectedWords | null): words is SelectedWords =>
    words !== null && [...words.quote].length <= MAX_QUOTE;
  const words = selected && wordsOf(selected.block, selected.range);
  const done = (block: number) => {
    forget();
    getSelection()?.removeAllRanges();
    focusBlock(text.blockAt(block));
  };
  const highlight = async (words: SelectedWords, color: NoteColor) => {
    setBusy(true);
    try {
      // After a failure the words are still selected.
      if (await onHighlight(words, color)) done(words.block);
    } finally {
      setBusy(false);
    }
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.code !== "KeyN" || !event.altKey || event.ctrlKey || event.metaKey) return;
    // The bar learns of a selection later than the next key.
    const now = selectedIn(text);
    const words = now && wordsOf(now.block, now.range);
    if (!mayNote(words)) return;
    event.preventDefault();
    done(words.block);
    onNote(words);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  // On a narrow screen the bar has several lines.
  useLayoutEffect(() => {
    const shown = bar.current;
    if (!shown || !selected) return;
    const rects = selected.range.getClientRects();
    const last = rects[rects.length - 1] ?? selected.range.getBoundingClientRect();
    const { width, height } = shown.getBoundingClientRect();
    const isBelow = last.bottom + GAP + height <= window.innerHeight;
    const top = isBelow ? last.bottom + GAP : Math.min(last.top, window.innerHeight) - GAP - height;
    shown.style.left = `${Math.max(GAP, Math.min(last.right, window.innerWidth - width - GAP))}px`;
    shown.style.top = `${Math.max(GAP, top)}px`;
  });
  if (!selected || (!mayNote(words) && !action)) return null;
  const noted = mayNote(words) ? words : null;
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t("notes.bar")}
      className={classes.bar}
      // The bar must not take the selection away before it is used.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        forget();
        focusBlock(text.blockAt(selected.block));
      }}
    >
      {noted && (
        <>
          {COLORS.map((color) => {
            const label = t("notes.highlightIn", { color: t(`notes.colors.${color}`) });
            return (
              <button
                key={color}
                type="button"
                className={classes.color}
                data-color={color}
                aria-label={label}
                title={isOnline ? label : t("notes.highlightOffline")}
                disabled={isBusy || !isOnline}
                onClick={() => void highlight(noted, color)}
              />
            );
          })}
          <Button
            variant="subtle"
            size="compact"
            icon={<IconNotes size={16} />}
            title={t("notes.noteKeys")}
            onClick={() => {
              done(noted.block);
              onNote(noted);
            }}
          >
            {t("notes.note")}
          </Button>
        </>
      )}
      {action && (
        <Button
          variant="subtle"
          size="compact"
          onClick={() => {
            forget();
            action.onStart({ block: selected.block, quote: selected.quote });
          }}
        >
          {action.label}
        </Button>
      )}
    </div>
  );
}

/** Gives the focus to a block of the text, where the keyboard and the screen reader continue, also after a dialog has closed. */
function focusBlock(block: HTMLElement | null) {
  if (!block) return;
  if (!block.hasAttribute("tabindex")) block.tabIndex = -1;
  block.focus({ preventScroll: true });
}
