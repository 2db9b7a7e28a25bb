import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { IconPlus, IconQuiz } from "../ui/icons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { IconComment } from "./IconComment";
import classes from "./Layer.module.css";
import { shortened } from "./openComments";
import { type Box, type ShownText, useBoxes } from "./shownText";

/** The words of a layer; `words` are those that a block begins with. */
export interface LayerTexts {
  mark: (count: number, number: number) => string;
  add: (number: number, words: string) => string;
  addTitle: string;
  chosen: (number: number, words: string) => string;
}

interface Props {
  text: ShownText;
  texts: LayerTexts;
  /** Questions of learners are marked more quietly than comments of authors. */
  kind?: "comments" | "questions";
  marks: readonly { block: number; count: number }[];
  /** The block whose thread is open, or about which one is being started. */
  active: number | null;
  /** The block with the cursor; null in a text without one. */
  cursor: number | null;
  onOpen: (block: number) => void;
  /** Starts a comment or a question about a block; missing for those who may not. */
  onStart?: ((block: number) => void) | undefined;
  /** What is shown below the active block, over the text. */
  children?: ReactNode;
}

/** The marks beside the blocks of a text, and the button that starts a comment or a question about one of them. It lies over the text and takes no room in it. */
export function Layer(props: Props) {
  const { text, texts, kind = "comments", marks, active, cursor, onOpen, onStart, children } = props;
  const layer = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  /** The block that the arrow keys have chosen. */
  const [chosen, setChosen] = useState<number | null>(null);
  const marked = new Set(marks.map(({ block }) => block));
  const current = Math.min(chosen ?? pointed ?? cursor ?? 0, Math.max(0, text.count() - 1));
  const boxes = useBoxes(layer, text, [
    ...marked,
    ...(onStart ? [current] : []),
    ...(active === null ? [] : [active]),
  ]);
  useEffect(() => {
    const { root } = text;
    const point = (event: PointerEvent) => {
      const index = event.target instanceof Node ? text.indexOf(event.target) : null;
      if (index !== null) setPointed(index);
    };
    const leave = () => setPointed(null);
    root.addEventListener("pointerover", point);
    root.addEventListener("keydown", leave);
    return () => {
      root.removeEventListener("pointerover", point);
      root.removeEventListener("keydown", leave);
    };
  }, [text]);
  const wasActive = useRef(active);
  useEffect(() => {
    const closed = wasActive.current;
    wasActive.current = active;
    // The keyboard goes on at the block whose card was closed.
    if (active === null && closed !== null && add.current === document.activeElement) setChosen(closed);
  }, [active]);

  const words = (block: number) => shortened(text.wordsOf(block)).slice(0, 60);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: text.count() - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(to, text.count() - 1));
    setChosen(next);
    text.blockAt(next)?.scrollIntoView({ block: "nearest" });
  };
  const activeBox = active === null ? undefined : boxes.get(active);
  return (
    <div ref={layer} className={classes.layer} data-kind={kind}>
      {activeBox && <div className={classes.active} style={activeBox} />}
      {marks.map(({ block, count }) => {
        const box = boxes.get(block);
        return (
          box && (
            <button
              key={block}
              type="button"
              className={classes.mark}
              style={markPlace(box, kind)}
              aria-label={texts.mark(count, block + 1)}
              aria-expanded={kind === "questions" ? block === active : undefined}
              onClick={() => onOpen(block)}
            >
              <IconComment size={16} />
              <span aria-hidden="true">{count}</span>
            </button>
          )
        );
      })}
      {/* The button stays the same one, with the focus, while the block is measured that it moves to. */}
      {onStart && text.count() > 0 && (
        <button
          ref={add}
          type="button"
          className={classes.add}
          style={markPlace(boxes.get(current) ?? NOWHERE, kind)}
          data-below={marked.has(current) || undefined}
          data-shown={pointed !== null || cursor !== null || undefined}
          aria-label={texts.add(current + 1, words(current))}
          title={texts.addTitle}
          // The text keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onKeyDown={onKeyDown}
          onBlur={() => setChosen(null)}
          onClick={() => onStart(current)}
        >
          {kind === "questions" ? <IconQuiz size={18} /> : <IconPlus size={16} />}
        </button>
      )}
      {activeBox && children && (
        <div className={classes.card} style={{ top: activeBox.top + activeBox.height }}>
          {children}
        </div>
      )}
      <div role="status">
        {chosen !== null && <VisuallyHidden>{texts.chosen(chosen + 1, words(chosen))}</VisuallyHidden>}
      </div>
    </div>
  );
}

const NOWHERE: Box = { top: 0, height: 0 };

/** The style sheet chooses the start or the end of the block. */
const markPlace = ({ top, height }: Box, kind: Props["kind"]) =>
  kind === "questions" ? ({ "--from": `${top}px`, "--to": `${top + height}px` } as CSSProperties) : { top };
