import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useRef, useState } from "react";
import { EditorIcon, type IconName } from "../editor/toolbar/icons";
import { type DialogOpeners, INSERTS, type InsertId } from "../editor/toolbar/inserts";
import { useEditorState } from "../editor/useEditorState";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./PostEditor.module.css";

interface Props {
  editor: Editor | null;
  dialogs: DialogOpeners;
}

const MARKS = [
  ["bold", "Ctrl+B"],
  ["italic", "Ctrl+I"],
  ["code", "Ctrl+E"],
] as const;

const INSERTED = ["bulletList", "orderedList", "blockquote", "codeBlock", "blockMath", "image"] as const;

const NOTHING = { active: "" };

/** The tools of a post: one Tab stop, with arrow keys between the buttons. Alt+F10 moves the focus here from the text. */
export function PostTools({ editor, dialogs }: Props) {
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(0);
  const { active } = useEditorState(editor, readState, NOTHING);
  const isActive = (name: string) => active.split(" ").includes(name);

  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (event.key === "Escape") {
      event.stopPropagation();
      editor?.commands.focus();
    }
    if (to === undefined || at === -1) return;
    event.preventDefault();
    const next = (to + buttons.length) % buttons.length;
    setStop(next);
    buttons[next]?.focus();
  };
  const insert = (id: InsertId) => {
    if (editor) INSERTS.find((one) => one.id === id)?.do(editor, dialogs);
  };
  const tools: { icon: IconName; label: string; keys?: string; pressed?: boolean; run: () => void }[] = [
    ...MARKS.map(([mark, keys]) => ({
      icon: mark,
      label: t(`editor.mark.${mark}`),
      keys,
      pressed: isActive(mark),
      run: () => void editor?.chain().focus().toggleMark(mark).run(),
    })),
    {
      icon: "pageLink",
      label: t("editor.mark.link"),
      keys: "Ctrl+K",
      pressed: isActive("link"),
      run: dialogs.link,
    },
    ...INSERTED.map((id) => ({
      icon: id,
      label: t(`editor.insert.${id}`),
      ...(id !== "image" && id !== "blockMath" && { pressed: isActive(id) }),
      run: () => insert(id),
    })),
  ];
  return (
    <div
      ref={bar}
      className={classes.tools}
      role="toolbar"
      aria-label={t("editor.toolbar")}
      onKeyDown={onKeyDown}
      data-post-tools
    >
      {tools.map(({ icon, label, keys, pressed, run }, at) => (
        <button
          key={icon}
          type="button"
          className={classes.tool}
          aria-label={label}
          title={keys ? `${label} (${keys})` : label}
          aria-pressed={pressed}
          tabIndex={at === stop ? 0 : -1}
          onFocus={() => setStop(at)}
          // The text keeps its focus and selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={run}
        >
          <EditorIcon name={icon} size={18} />
        </button>
      ))}
    </div>
  );
}

function readState(editor: Editor): typeof NOTHING {
  const names = ["bold", "italic", "code", "link", ...INSERTED].filter((name) => editor.isActive(name));
  return { active: names.join(" ") };
}
