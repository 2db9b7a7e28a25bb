import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "../../i18n/useTranslation";
import { slashMatch } from "../behaviour/slash";
import { useEditorState } from "../useEditorState";
import { float } from "./float";
import { InsertOption } from "./InsertOption";
import { type DialogOpeners, findInserts, type Insert } from "./inserts";
import menu from "./menu.module.css";

const CLOSED = { query: "", from: -1, to: -1 };

/** The insert menu beside a typed slash. The text keeps the focus; the arrows and Enter choose. */
export function SlashMenu({ editor, dialogs }: { editor: Editor | null; dialogs: DialogOpeners }) {
  const { t } = useTranslation();
  const match = useEditorState(editor, (editor) => slashMatch(editor.state) ?? CLOSED, CLOSED);
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const isOpen = match.from >= 0;
  const found = isOpen ? findInserts(match.query, (id) => t(`editor.insert.${id}`)) : [];
  // Without a match it is an ordinary slash.
  const shown = isOpen && (found.length > 0 || match.query.length < 4);
  const at = Math.min(chosen, found.length - 1);

  const [lastQuery, setLastQuery] = useState(match.query);
  if (lastQuery !== match.query) {
    setLastQuery(match.query);
    setChosen(0);
  }

  const choose = (insert: Insert | undefined) => {
    if (!editor || !insert) return;
    // The typed text may be newer than the shown list.
    const now = slashMatch(editor.state);
    if (!now) return;
    editor.chain().focus().deleteRange({ from: now.from, to: now.to }).run();
    insert.do(editor, dialogs);
  };

  const onKey = useEffectEvent((event: KeyboardEvent): boolean => {
    // A key may be pressed before the list shows the last characters, or anything.
    const now = editor && slashMatch(editor.state);
    if (!now || event.isComposing) return false;
    const isCurrent = isOpen && now.query === match.query;
    const options = isCurrent ? found : findInserts(now.query, (id) => t(`editor.insert.${id}`));
    if (options.length === 0) return false;
    const current = isCurrent ? at : 0;
    if (event.key === "ArrowDown") setChosen((current + 1) % options.length);
    else if (event.key === "ArrowUp") setChosen((current - 1 + options.length) % options.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(options[current]);
    else return false;
    return true;
  });
  useEffect(() => {
    if (!editor) return;
    // The editor may be destroyed before this component unmounts.
    const { slash } = editor.storage;
    slash.onKey = (event) => onKey(event);
    return () => {
      slash.onKey = null;
    };
  }, [editor]);

  useLayoutEffect(() => {
    if (!shown || !editor || !list.current) return;
    const { from } = match;
    const anchor = { getBoundingClientRect: () => rectAt(editor, from) };
    return float(anchor, list.current);
  }, [shown, editor, match]);

  // The text field describes the list to assistive technology.
  useEffect(() => {
    const field = editor && !editor.isDestroyed ? editor.view.dom : null;
    if (!field || !shown || found.length === 0) return;
    field.setAttribute("aria-controls", id);
    field.setAttribute("aria-activedescendant", `${id}-${at}`);
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
    return () => {
      field.removeAttribute("aria-controls");
      field.removeAttribute("aria-activedescendant");
    };
  });

  if (!shown) return null;
  return createPortal(
    <section aria-label={t("editor.insertMenu")}>
      <div
        ref={list}
        id={id}
        className={menu.menu}
        role="listbox"
        tabIndex={0}
        aria-label={t("editor.insertMenu")}
      >
        {found.map((insert, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the text field's
          <div
            key={insert.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={menu.option}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(insert)}
          >
            <InsertOption insert={insert} />
          </div>
        ))}
        {found.length === 0 && (
          <div role="option" aria-selected="false" aria-disabled="true" className={menu.none} tabIndex={-1}>
            {t("editor.nothingFound")}
          </div>
        )}
      </div>
    </section>,
    document.body,
  );
}

function rectAt(editor: Editor, pos: number): DOMRect {
  const { left, right, top, bottom } = editor.view.coordsAtPos(Math.min(pos, editor.state.doc.content.size));
  return new DOMRect(left, top, right - left, bottom - top);
}
