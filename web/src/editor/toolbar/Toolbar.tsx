import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { useEditorState } from "../useEditorState";
import { InsertMenu } from "./InsertMenu";
import { EditorIcon, type IconName } from "./icons";
import type { DialogOpeners } from "./inserts";
import styles from "./Toolbar.module.css";

interface Props {
  editor: Editor | null;
  dialogs: DialogOpeners;
}

const MARKS = [
  ["bold", "Ctrl+B"],
  ["italic", "Ctrl+I"],
  ["underline", "Ctrl+U"],
  ["strike", "Ctrl+Shift+S"],
  ["code", "Ctrl+E"],
  ["highlight", "Ctrl+Shift+H"],
  ["superscript", "Ctrl+."],
  ["subscript", "Ctrl+,"],
] as const;

const LISTS = [
  ["bulletList", "Ctrl+Shift+8"],
  ["orderedList", "Ctrl+Shift+7"],
  ["taskList", "Ctrl+Shift+9"],
  ["blockquote", "Ctrl+Shift+B"],
] as const;

const STYLES = ["paragraph", "heading2", "heading3", "heading4", "codeBlock"] as const;

const NOTHING = { style: "paragraph", marks: "", lists: "", canUndo: false, canRedo: false, isLink: false };

/** The formatting toolbar: one Tab stop, with arrow keys between the buttons. Alt+F10 moves the focus here from the text. */
export function Toolbar({ editor, dialogs }: Props) {
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(0);
  const state = useEditorState(editor, readState, NOTHING);

  const onKeyDown = (event: KeyboardEvent) => {
    const controls = [...(bar.current?.querySelectorAll<HTMLElement>("[data-control]") ?? [])];
    const at = controls.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: controls.length - 1 }[event.key];
    if (event.key === "Escape") editor?.commands.focus();
    if (to === undefined || at === -1) return;
    // A select handles the arrow keys itself.
    if (document.activeElement?.tagName === "SELECT" && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = (to + controls.length) % controls.length;
    setStop(next);
    controls[next]?.focus();
  };

  let index = -1;
  const control = () => {
    index += 1;
    const own = index;
    return { "data-control": "", tabIndex: own === stop ? 0 : -1, onFocus: () => setStop(own) };
  };
  const button = (
    icon: IconName,
    label: string,
    run: () => void,
    pressed?: boolean,
    shortcut?: string,
    disabled?: boolean,
  ) => (
    <button
      key={icon}
      type="button"
      className={styles.button}
      aria-label={label}
      title={shortcut ? `${label} (${shortcut})` : label}
      aria-pressed={pressed}
      aria-disabled={disabled || undefined}
      // The text keeps its focus and selection.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => !disabled && run()}
      {...control()}
    >
      <EditorIcon name={icon} />
    </button>
  );
  const chain = () => editor?.chain().focus();

  return (
    <div
      ref={bar}
      className={styles.toolbar}
      role="toolbar"
      aria-label={t("editor.toolbar")}
      onKeyDown={onKeyDown}
      data-toolbar
    >
      <select
        className={styles.style}
        aria-label={t("editor.style")}
        value={state.style}
        onChange={(event) => setStyle(editor, event.currentTarget.value)}
        {...control()}
      >
        {STYLES.map((style) => (
          <option key={style} value={style}>
            {t(`editor.insert.${style}`)}
          </option>
        ))}
        {state.style === "heading1" && <option value="heading1">{t("editor.heading1")}</option>}
        {state.style === "" && <option value="">{t("editor.noStyle")}</option>}
      </select>
      <span className={styles.group}>
        {MARKS.map(([mark, shortcut]) =>
          button(
            mark,
            t(`editor.mark.${mark}`),
            () => chain()?.toggleMark(mark).run(),
            has(state.marks, mark),
            shortcut,
          ),
        )}
        {button("pageLink", t("editor.mark.link"), dialogs.link, state.isLink, "Ctrl+K")}
      </span>
      <span className={styles.group}>
        {LISTS.map(([list, shortcut]) =>
          button(
            list,
            t(`editor.insert.${list}`),
            () => toggleList(editor, list),
            has(state.lists, list),
            shortcut,
          ),
        )}
      </span>
      <span className={styles.group} data-insert>
        <InsertMenu editor={editor} dialogs={dialogs} control={control()} />
      </span>
      <span className={styles.group}>
        {button("undo", t("editor.undo"), () => chain()?.undo().run(), undefined, "Ctrl+Z", !state.canUndo)}
        {button(
          "redo",
          t("editor.redo"),
          () => chain()?.redo().run(),
          undefined,
          "Ctrl+Shift+Z",
          !state.canRedo,
        )}
      </span>
    </div>
  );
}

const has = (names: string, name: string) => names.split(" ").includes(name);

function readState(editor: Editor): typeof NOTHING {
  const { $from } = editor.state.selection;
  const { type, attrs } = $from.parent;
  return {
    style:
      type.name === "heading" ? `heading${attrs.level}` : (STYLES.find((style) => style === type.name) ?? ""),
    marks: MARKS.flatMap(([mark]) => (editor.isActive(mark) ? mark : [])).join(" "),
    lists: LISTS.flatMap(([list]) => (editor.isActive(list) ? list : [])).join(" "),
    canUndo: editor.can().undo(),
    canRedo: editor.can().redo(),
    isLink: editor.isActive("link"),
  };
}

function setStyle(editor: Editor | null, style: string): void {
  const level = /^heading(\d)$/.exec(style)?.[1];
  const chain = editor?.chain().focus();
  if (level) chain?.setNode("heading", { level: Number(level) }).run();
  else chain?.setNode(style).run();
}

function toggleList(editor: Editor | null, list: (typeof LISTS)[number][0]): void {
  const chain = editor?.chain().focus();
  if (list === "bulletList") chain?.toggleBulletList().run();
  else if (list === "orderedList") chain?.toggleOrderedList().run();
  else if (list === "taskList") chain?.toggleTaskList().run();
  else chain?.toggleBlockquote().run();
}
