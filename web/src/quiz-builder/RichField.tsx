import type { Editor } from "@tiptap/core";
import {
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { Document } from "../content/Document";
import { ActiveField } from "../editor/activeField";
import { toStored } from "../editor/stored";
import { useTranslation } from "../i18n/useTranslation";
import { OPTIONS_MAX } from "../limits.generated";
import { newId } from "../ui/newId";
import { showToast } from "../ui/toasts";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { emptyDocument } from "./model";
import classes from "./RichField.module.css";
import { createRichEditor } from "./richEditor";

interface RichFieldProps {
  label: string;
  /** Whether the label is visible, or only for screen readers. */
  isLabelSeen?: boolean;
  /** The initial document. A field for another document needs another `key`. */
  value: unknown;
  onChange: (document: unknown) => void;
  /** Message below the field. */
  problem?: ReactNode;
  /** For the text of a fill-in-the-blank question. */
  hasBlanks?: boolean;
  /** Whether the field is a learner's answer: it accepts no files, and its tools are always visible. */
  isEssay?: boolean;
  /** Ids of further elements that label or describe the field. */
  labelledBy?: string;
  describedBy?: string;
  disabled?: boolean;
  /** Takes the id of a new blank and the text that it replaces. Called before the change of the document. */
  onBlank?: (id: string, text: string) => void;
  autoFocus?: boolean;
  /** Called for Enter in a paragraph, which then adds no paragraph. */
  onEnter?: () => void;
  /** Called for Ctrl+Enter. */
  onMark?: () => void;
  /** Takes a text that is pasted into the empty field. Returns false for a text that belongs in the field. */
  onText?: (text: string) => boolean;
  /** Takes all but the first line of a list that is pasted into the empty field; at most `maxLines`. */
  onLines?: (lines: string[]) => void;
  maxLines?: number;
}

/** A rich text field of a few lines with its own formatting tools. */
export function RichField(props: RichFieldProps) {
  const {
    label,
    isLabelSeen = false,
    value,
    onChange,
    problem,
    hasBlanks = false,
    isEssay = false,
    labelledBy,
    describedBy,
    disabled = false,
    onBlank,
    autoFocus = false,
    onEnter,
    onMark,
    onText,
    onLines,
    maxLines = 0,
  } = props;
  const { t } = useTranslation();
  const id = useId();
  const active = useContext(ActiveField);
  const field = useRef<HTMLDivElement>(null);
  const holder = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const [isActive, setActive] = useState(false);
  /** The current document; the editor starts with it. */
  const document = useRef(value);
  const changed = useEffectEvent((changedDocument: unknown) => {
    document.current = changedDocument;
    onChange(changedDocument);
  });
  const entered = useEffectEvent(() => {
    onEnter?.();
    return onEnter !== undefined;
  });
  const marked = useEffectEvent(() => {
    onMark?.();
    return onMark !== undefined;
  });
  const takeText = useEffectEvent((text: string) => onText?.(text) ?? false);
  const takesLines = useEffectEvent((count: number) => {
    if (!onLines || count <= maxLines) return onLines !== undefined;
    const title = t("quizBuilder.tooManyLines.title");
    showToast({ kind: "failure", title, text: t("quizBuilder.tooManyLines.text", { max: OPTIONS_MAX }) });
    return false;
  });
  const takeLines = useEffectEvent((lines: string[]) => onLines?.(lines));
  const focusNewEditor = useEffectEvent((created: Editor) => {
    if (autoFocus) created.commands.focus("end");
  });
  useEffect(() => {
    if (!holder.current || isUnreadable) return;
    const created = createRichEditor({
      element: holder.current,
      content: document.current,
      labelledBy: labelledBy ? `${labelledBy} ${id}-label` : `${id}-label`,
      describedBy: describedBy ? `${describedBy} ${id}-problem` : `${id}-problem`,
      hasBlanks,
      isEssay,
      onChange: (doc) => changed(toStored(doc)),
      onFocus: () => setActive(true),
      onEnter: () => entered(),
      onMark: () => marked(),
      onText: (text) => takeText(text),
      takesLines: (count) => takesLines(count),
      onLines: (lines) => takeLines(lines),
    });
    if (!created) return setUnreadable(true);
    setEditor(created);
    // The toolbar and menus of the page edit the page, so an answer must not become their active editor.
    if (!isEssay) created.on("focus", () => active.take(created));
    focusNewEditor(created);
    return () => {
      active.release(created);
      created.destroy();
    };
  }, [id, hasBlanks, isEssay, isUnreadable, active, labelledBy, describedBy]);
  useEffect(() => {
    if (editor && !editor.isDestroyed) editor.setEditable(!disabled, false);
  }, [editor, disabled]);
  // The label is the hint, too; a part that moves gets another number.
  useEffect(() => {
    if (editor && !editor.isDestroyed && !isLabelSeen) editor.view.dom.dataset.hint = label;
  }, [editor, label, isLabelSeen]);

  const labelShown = (
    <span id={`${id}-label`} className={isLabelSeen ? classes.label : undefined}>
      {label}
    </span>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the focus has left it
    <div
      ref={field}
      className={classes.field}
      data-problem={problem ? "" : undefined}
      onBlur={(event) => {
        if (!field.current?.contains(event.relatedTarget)) setActive(false);
      }}
    >
      {isLabelSeen ? labelShown : <VisuallyHidden>{labelShown}</VisuallyHidden>}
      {isUnreadable ? (
        <div className={classes.readOnly}>
          <Document content={value} />
          <p>
            {t("quizBuilder.unreadable")}{" "}
            <button
              type="button"
              onClick={() => {
                document.current = emptyDocument();
                onChange(document.current);
                setUnreadable(false);
              }}
            >
              {t("quizBuilder.writeAnew")}
            </button>
          </p>
        </div>
      ) : (
        <div className={classes.box}>
          <div ref={holder} className={classes.place} />
          {editor && (isActive || hasBlanks || isEssay) && (
            <Tools
              editor={editor}
              hasBlanks={hasBlanks}
              onBlank={onBlank}
              isAlwaysShown={hasBlanks || isEssay}
              disabled={disabled}
            />
          )}
        </div>
      )}
      <p id={`${id}-problem`} className={classes.problem}>
        {problem}
      </p>
    </div>
  );
}

type Tool = {
  name: "bold" | "italic" | "code" | "subscript" | "superscript" | "bulletList";
  sign: ReactNode;
};

const TOOLS: Tool[] = [
  { name: "bold", sign: <strong>Ж</strong> },
  { name: "italic", sign: <em>К</em> },
  { name: "code", sign: <code>{"<>"}</code> },
  { name: "subscript", sign: "₂" },
  { name: "superscript", sign: "²" },
  { name: "bulletList", sign: "•" },
];

/**
 * Formatting tools below the field. They are shown while text is selected; for a text with blanks and for an answer, always. They overlay the
 * page, so that the layout does not shift. One Tab stop, with arrow keys between the buttons.
 */
function Tools({
  editor,
  hasBlanks,
  onBlank,
  isAlwaysShown,
  disabled,
}: { editor: Editor; isAlwaysShown: boolean } & Pick<RichFieldProps, "hasBlanks" | "onBlank" | "disabled">) {
  const { t } = useTranslation();
  const [at, setAt] = useState(0);
  const [, redraw] = useState(0);
  useEffect(() => {
    const changed = () => redraw((count) => count + 1);
    editor.on("transaction", changed);
    return () => {
      editor.off("transaction", changed);
    };
  }, [editor]);
  const run = (name: Tool["name"]) => {
    const chain = editor.chain().focus();
    (name === "bulletList" ? chain.toggleBulletList() : chain.toggleMark(name)).run();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const count = TOOLS.length + Number(hasBlanks ?? false);
    const next = { ArrowRight: (at + 1) % count, ArrowLeft: (at + count - 1) % count }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setAt(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  const shared = (index: number) => ({
    type: "button" as const,
    tabIndex: index === at ? 0 : -1,
    disabled,
    // Keeps the cursor in the text.
    onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
  });
  const first = Number(hasBlanks ?? false);
  if (!isAlwaysShown && editor.state.selection.empty) return null;
  return (
    <div
      role="toolbar"
      aria-label={t("quizBuilder.tools.label")}
      className={classes.tools}
      onKeyDown={onKeyDown}
    >
      {hasBlanks && (
        <button {...shared(0)} className={classes.insertBlank} onClick={() => insertBlank(editor, onBlank)}>
          {t("quizBuilder.insertBlank")}
        </button>
      )}
      {TOOLS.map(({ name, sign }, index) => (
        <button
          key={name}
          {...shared(index + first)}
          aria-label={t(`quizBuilder.tools.${name}`)}
          title={t(`quizBuilder.tools.${name}`)}
          aria-pressed={editor.isActive(name)}
          onClick={() => run(name)}
        >
          <span>{sign}</span>
        </button>
      ))}
    </div>
  );
}

/** Inserts a blank in place of the selected words, without the spaces around them. */
function insertBlank(editor: Editor, onBlank: RichFieldProps["onBlank"]): void {
  const { from, to } = editor.state.selection;
  const selected = editor.state.doc.textBetween(from, to, " ", " ");
  const text = selected.trim();
  const start = from + (selected.length - selected.trimStart().length);
  const blank_id = newId();
  onBlank?.(blank_id, text);
  editor
    .chain()
    .focus()
    // A selection of spaces alone keeps them.
    .insertContentAt(text ? { from: start, to: to - (selected.length - selected.trimEnd().length) } : to, {
      type: "blank",
      attrs: { blank_id },
    })
    .run();
}
