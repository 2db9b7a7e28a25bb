import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Document } from "../content/Document";
import { createEditor } from "../editor/createEditor";
import { BlockPanel } from "../editor/panel/BlockPanel";
import type { LinkedCourse } from "../editor/panel/LinkDialog";
import { modelSchema } from "../editor/schema";
import { fromStored, toStored } from "../editor/stored";
import { SlashMenu } from "../editor/toolbar/SlashMenu";
import { Toolbar } from "../editor/toolbar/Toolbar";
import { loadInsertDialogs, useInsertDialogs } from "../editor/useInsertDialogs";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./Writing.module.css";

interface Props {
  label: string;
  /** The document that the editor starts with; another one needs another `key`. */
  value: unknown;
  /** The course whose pages links can lead to; null until it has loaded. */
  course: LinkedCourse | null;
  /** Why the text was refused. */
  error: string | null;
  onChange: (document: unknown) => void;
}

/** The page editor for a text that is not a page. */
export function TextEditor({ label, value, course, error, onChange }: Props) {
  const { t } = useTranslation();
  const holder = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [isReadable] = useState(() => fromStored(modelSchema(), value) !== null);
  const { dialogs, element } = useInsertDialogs(editor, course);
  const content = useEffectEvent(() => value);
  const changed = useEffectEvent(onChange);
  const hasPage = useEffectEvent(
    (id: string) =>
      course?.modules.some(({ lessons }) =>
        lessons.some(({ pages }) => pages.some((page) => page.id === id)),
      ) ?? false,
  );
  const labelNow = useEffectEvent(() => label);
  useEffect(() => {
    if (!holder.current) return;
    const created = createEditor({
      element: holder.current,
      content: content(),
      label: labelNow(),
      hasPage: (id) => hasPage(id),
      onChange: (doc) => changed(toStored(doc)),
    });
    setEditor(created);
    return () => created.destroy();
  }, []);
  useEffect(() => {
    loadInsertDialogs().catch(() => {});
  }, []);
  const describedBy = error ? "announcement-text-error" : null;
  useEffect(() => {
    if (!editor || editor.isDestroyed) return;
    if (describedBy) editor.view.dom.setAttribute("aria-describedby", describedBy);
    else editor.view.dom.removeAttribute("aria-describedby");
  }, [editor, describedBy]);

  if (!isReadable)
    return (
      <div className={classes.text}>
        <p className={classes.hint}>{t("learning.announcements.form.unreadable")}</p>
        <Document content={value} />
      </div>
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its descendants
    <div
      onKeyDown={(event) => {
        const isMod = event.ctrlKey || event.metaKey;
        if (isMod && event.code === "KeyK" && editor?.isFocused) {
          // Elsewhere these keys open the command palette.
          event.preventDefault();
          event.stopPropagation();
          dialogs.link();
        } else if (event.altKey && event.key === "F10") {
          event.preventDefault();
          document.querySelector<HTMLElement>("[data-toolbar] [tabindex='0']")?.focus();
        }
      }}
    >
      <p className={classes.label} aria-hidden="true">
        {label}
      </p>
      <div className={classes.box} data-error={error ? "" : undefined}>
        <div className={classes.bar}>
          <Toolbar editor={editor} dialogs={dialogs} />
        </div>
        <div ref={holder} className={classes.place} />
      </div>
      {error && (
        <p id="announcement-text-error" className={classes.error} role="alert">
          {error}
        </p>
      )}
      <SlashMenu editor={editor} dialogs={dialogs} />
      <BlockPanel editor={editor} />
      {element}
    </div>
  );
}
