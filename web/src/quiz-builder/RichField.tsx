import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Document } from "../content/Document";
import { toStored } from "../editor/stored";
import { newId } from "../ui/newId";
import { Unseen } from "../ui/Unseen";
import { emptyDocument } from "./model";
import classes from "./RichField.module.css";
import { createRichEditor } from "./richEditor";

interface RichFieldProps {
  label: string;
  /** Whether the label is seen, or only said. */
  isLabelSeen?: boolean;
  /** Read once; a field for another text is another field. */
  value: unknown;
  onChange: (document: unknown) => void;
  /** What is wrong with it. */
  problem?: ReactNode;
  /** The text of a question that is filled in. */
  hasBlanks?: boolean;
  autoFocus?: boolean;
}

/** A rich text of a few lines, with the marks it needs at hand while it is written in. */
export function RichField(props: RichFieldProps) {
  const {
    label,
    isLabelSeen = false,
    value,
    onChange,
    problem,
    hasBlanks = false,
    autoFocus = false,
  } = props;
  const { t } = useTranslation();
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const [isActive, setActive] = useState(false);
  // The editor is made once and asks for the newest of these when it needs them.
  const now = useRef({ value, onChange, autoFocus });
  now.current.onChange = onChange;
  useEffect(() => {
    if (!place.current || isUnreadable) return;
    const made = createRichEditor({
      element: place.current,
      content: now.current.value,
      labelledBy: `${id}-label`,
      describedBy: `${id}-problem`,
      hasBlanks,
      onChange: (doc) => {
        const stored = toStored(doc);
        now.current.value = stored;
        now.current.onChange(stored);
      },
      onFocus: () => setActive(true),
    });
    if (!made) return setUnreadable(true);
    setEditor(made);
    if (now.current.autoFocus) made.commands.focus("end");
    return () => made.destroy();
  }, [id, hasBlanks, isUnreadable]);

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
      {isLabelSeen ? labelShown : <Unseen>{labelShown}</Unseen>}
      {isUnreadable ? (
        <div className={classes.readOnly}>
          <Document content={value} />
          <p>
            {t("quizBuilder.unreadable")}{" "}
            <button
              type="button"
              onClick={() => {
                now.current.value = emptyDocument();
                onChange(now.current.value);
                setUnreadable(false);
              }}
            >
              {t("quizBuilder.writeAnew")}
            </button>
          </p>
        </div>
      ) : (
        <div className={classes.box}>
          <div ref={place} className={classes.place} />
          {editor && (isActive || hasBlanks) && <Tools editor={editor} hasBlanks={hasBlanks} />}
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
 * Marks for what is selected, above the field, so that nothing moves when it comes and goes; a text with gaps always shows how to
 * make one. One stop for Tab, the arrows within.
 */
function Tools({ editor, hasBlanks }: { editor: Editor; hasBlanks: boolean }) {
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
    const count = TOOLS.length + Number(hasBlanks);
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
    // The cursor stays in the text.
    onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
  });
  const first = Number(hasBlanks);
  if (!hasBlanks && editor.state.selection.empty) return null;
  return (
    <div
      role="toolbar"
      aria-label={t("quizBuilder.tools.label")}
      className={classes.tools}
      onKeyDown={onKeyDown}
    >
      {hasBlanks && (
        <button
          {...shared(0)}
          className={classes.insertBlank}
          onClick={() =>
            editor
              .chain()
              .focus()
              .insertContent({ type: "blank", attrs: { blank_id: newId() } })
              .run()
          }
        >
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
