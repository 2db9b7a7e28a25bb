import { useQuery } from "@apollo/client/react";
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageCourseDocument } from "../course/CourseTree.generated";
import { insertFiles } from "./behaviour/uploads";
import styles from "./ContentEditor.module.css";
import { createEditor, followContent, replaceContent } from "./createEditor";
import { BlockPanel } from "./panel/BlockPanel";
import { LinkDialog } from "./panel/LinkDialog";
import { VideoDialog } from "./panel/VideoDialog";
import { StatusLine } from "./StatusLine";
import { SlashMenu } from "./toolbar/SlashMenu";
import { Toolbar } from "./toolbar/Toolbar";

/** What the frame around asks of the editor. */
export interface ContentHandle {
  doc: () => Node | null;
  focus: () => void;
  /** Puts another text in, as one step that can be undone. `fromServer`: it is stored already. */
  replace: (content: unknown, fromServer: boolean) => boolean;
  /** Shows what somebody else has saved, with the cursor where it is. */
  follow: (content: unknown) => boolean;
  /** Shows the block with this number. */
  show: (block: number) => void;
}

interface Props {
  pageId: string;
  /** As it is stored; read once. */
  content: unknown;
  /** Behind the preview it stands still and shows no panels. */
  isHidden: boolean;
  handle: RefObject<ContentHandle | null>;
  onReady: (doc: Node) => void;
  onChange: (doc: Node, steps: unknown[]) => void;
  onSave: () => void;
}

/** The text of a page and everything it is written with. */
export function ContentEditor({ pageId, content, isHidden, handle, onReady, onChange, onSave }: Props) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [asking, setAsking] = useState<"link" | "video" | null>(null);
  const course = useQuery(PageCourseDocument, { variables: { id: pageId } }).data?.page.course;

  // The editor is made once and asks for the newest of these when it needs them.
  const now = useRef({ onChange, onReady, onSave, content, pages: new Set<string>(), label: "" });
  now.current = {
    onChange,
    onReady,
    onSave,
    content,
    pages: new Set(
      course?.modules.flatMap((one) => one.lessons.flatMap((lesson) => lesson.pages.map((page) => page.id))),
    ),
    label: t("editor.content"),
  };
  useEffect(() => {
    if (!place.current) return;
    const made = createEditor({
      element: place.current,
      content: now.current.content,
      label: now.current.label,
      hasPage: (id) => now.current.pages.has(id),
      onChange: (doc, steps) => now.current.onChange(doc, steps),
    });
    setEditor(made);
    now.current.onReady(made.state.doc);
    return () => made.destroy();
  }, []);

  useImperativeHandle(handle, () => ({
    doc: () => editor?.state.doc ?? null,
    focus: () => editor?.commands.focus("start"),
    replace: (content, fromServer) => (editor ? replaceContent(editor, content, fromServer) : false),
    follow: (content) => (editor ? followContent(editor, content) : false),
    show: (block) => {
      const shown = editor?.view.dom.children[block];
      shown?.scrollIntoView({ block: "center" });
    },
  }));

  const ask = {
    files: (accept: string) => {
      if (!files.current) return;
      files.current.accept = accept;
      files.current.click();
    },
    link: () => setAsking("link"),
    video: () => setAsking("video"),
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of all that is inside
    <div
      className={styles.editor}
      onKeyDown={(event) => {
        const isMod = event.ctrlKey || event.metaKey;
        if (isMod && event.code === "KeyS") {
          event.preventDefault();
          onSave();
        } else if (isMod && event.code === "KeyK" && editor?.isFocused) {
          // Before the palette of commands, which has the same keys elsewhere.
          event.preventDefault();
          event.stopPropagation();
          setAsking("link");
        } else if (event.altKey && event.key === "F10") {
          event.preventDefault();
          document.querySelector<HTMLElement>("[data-toolbar] [tabindex='0']")?.focus();
        }
      }}
      onBlur={() => onSave()}
    >
      <div className={styles.bar}>
        <Toolbar editor={editor} ask={ask} />
      </div>
      <div ref={place} className={styles.place} />
      <StatusLine editor={editor} />
      {!isHidden && (
        <>
          <SlashMenu editor={editor} ask={ask} />
          <BlockPanel editor={editor} />
        </>
      )}
      <input
        ref={files}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          if (editor) insertFiles(editor.view, [...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      {editor && asking === "link" && (
        <LinkDialog editor={editor} pageId={pageId} onClose={() => setAsking(null)} />
      )}
      {editor && asking === "video" && <VideoDialog editor={editor} onClose={() => setAsking(null)} />}
    </div>
  );
}
