import { useQuery } from "@apollo/client/react";
import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { PageCourseDocument } from "../course/CourseTree.generated";
import { useTranslation } from "../i18n/useTranslation";
import { insertFiles } from "./behaviour/uploads";
import styles from "./ContentEditor.module.css";
import { createEditor } from "./createEditor";
import type { EditSession } from "./EditSession";
import { BlockPanel } from "./panel/BlockPanel";
import { LinkDialog } from "./panel/LinkDialog";
import { VideoDialog } from "./panel/VideoDialog";
import { StatusLine } from "./StatusLine";
import { SlashMenu } from "./toolbar/SlashMenu";
import { Toolbar } from "./toolbar/Toolbar";

interface Props {
  session: EditSession;
  pageId: string;
  /** Behind the preview the editor stays mounted and shows no panels. */
  isHidden: boolean;
  /** Whether the cursor stands in the text at once. */
  autoFocus: boolean;
}

/** The text of a page with its toolbar, menus and panels. */
export function ContentEditor({ session, pageId, isHidden, autoFocus }: Props) {
  const { t } = useTranslation();
  const holder = useRef<HTMLDivElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [dialog, setDialog] = useState<"link" | "video" | null>(null);
  const course = useQuery(PageCourseDocument, { variables: { id: pageId } }).data?.page.course;

  const hasPage = useEffectEvent(
    (id: string) =>
      course?.modules.some((one) =>
        one.lessons.some((lesson) => lesson.pages.some((page) => page.id === id)),
      ) ?? false,
  );
  const focusFirst = useEffectEvent((created: Editor) => {
    if (autoFocus) created.commands.focus("start", { scrollIntoView: false });
  });
  const label = useEffectEvent(() => t("editor.content"));
  useEffect(() => {
    if (!holder.current) return;
    const created = createEditor({
      element: holder.current,
      content: session.content,
      label: label(),
      hasPage: (id) => hasPage(id),
      onChange: session.setDocument,
    });
    setEditor(created);
    const detach = session.attach(created);
    focusFirst(created);
    return () => {
      detach();
      created.destroy();
    };
  }, [session]);

  const dialogs = {
    files: (accept: string) => {
      if (!files.current) return;
      files.current.accept = accept;
      files.current.click();
    },
    link: () => setDialog("link"),
    video: () => setDialog("video"),
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its descendants
    <div
      className={styles.editor}
      onKeyDown={(event) => {
        const isMod = event.ctrlKey || event.metaKey;
        if (isMod && event.code === "KeyS") {
          event.preventDefault();
          session.save();
        } else if (isMod && event.code === "KeyK" && editor?.isFocused) {
          // Elsewhere these keys open the command palette.
          event.preventDefault();
          event.stopPropagation();
          setDialog("link");
        } else if (event.altKey && event.key === "F10") {
          event.preventDefault();
          document.querySelector<HTMLElement>("[data-toolbar] [tabindex='0']")?.focus();
        }
      }}
      onBlur={session.save}
    >
      <div className={styles.bar}>
        <Toolbar editor={editor} dialogs={dialogs} />
      </div>
      <div ref={holder} className={styles.place} />
      <StatusLine editor={editor} />
      {!isHidden && (
        <>
          <SlashMenu editor={editor} dialogs={dialogs} />
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
      {editor && dialog === "link" && (
        <LinkDialog editor={editor} pageId={pageId} onClose={() => setDialog(null)} />
      )}
      {editor && dialog === "video" && <VideoDialog editor={editor} onClose={() => setDialog(null)} />}
    </div>
  );
}
