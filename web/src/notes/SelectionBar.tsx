import { useSelector } from "@tanstack/react-store";
import { useEffect, useEffectEvent } from "react";
import type { NoteColor } from "../api/schema.generated";
import { useSelected } from "../comments/SelectionButton";
import { selectionBar, showBar } from "../comments/selectionBar";
import type { ShownText } from "../comments/shownText";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
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
  onHighlight: (words: SelectedWords, color: NoteColor) => void;
  onNote: (words: SelectedWords) => void;
}

/** Room that the bar needs, in pixels. */
const ROOM = 350;

/** The bar at selected words of a page: highlights them, notes them, or asks about them. Alt+N notes them from the keyboard. */
export function SelectionBar({ text, wordsOf, onHighlight, onNote }: Props) {
  const { t } = useTranslation();
  const action = useSelector(selectionBar, (state) => state.action);
  const [selected, forget] = useSelected(text);
  useEffect(() => showBar(), []);
  const words = selected && wordsOf(selected.block, selected.range);
  const mayNote = words !== null && [...words.quote].length <= MAX_QUOTE;
  const done = () => {
    forget();
    getSelection()?.removeAllRanges();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.code !== "KeyN" || !event.altKey || event.ctrlKey || event.metaKey || !mayNote || !words)
      return;
    event.preventDefault();
    done();
    onNote(words);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  if (!selected || (!mayNote && !action)) return null;
  return (
    <div
      role="toolbar"
      aria-label={t("notes.bar")}
      className={classes.bar}
      style={{ left: Math.max(8, Math.min(selected.left, window.innerWidth - ROOM)), top: selected.top }}
      // The bar must not take the selection away before it is used.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {mayNote && words && (
        <>
          {COLORS.map((color) => (
            <button
              key={color}
              type="button"
              className={classes.color}
              data-color={color}
              aria-label={t("notes.highlightIn", { color: t(`notes.colors.${color}`) })}
              title={t("notes.highlightIn", { color: t(`notes.colors.${color}`) })}
              onClick={() => {
                done();
                onHighlight(words, color);
              }}
            />
          ))}
          <Button
            variant="subtle"
            size="compact"
            icon={<IconNotes size={16} />}
            title={t("notes.noteKeys")}
            onClick={() => {
              done();
              onNote(words);
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
