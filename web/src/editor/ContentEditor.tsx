import { useQuery } from "@apollo/client/react";
import type { Editor } from "@tiptap/core";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { PageCourseDocument } from "../course/CourseTree.generated";
import { useTranslation } from "../i18n/useTranslation";
import { insertFiles } from "./behaviour/uploads";
import styles from "./ContentEditor.module.css";
import { createEditor } from "./createEditor";
import type { EditSession } from "./EditSession";
import { BlockPanel } from "./panel/BlockPanel";
import { StatusLine } from "./StatusLine";
import { SlashMenu } from "./toolbar/SlashMenu";
import { Toolbar } from "./toolbar/Toolbar";

const linkDialog = () => import("./panel/LinkDialog");
const videoDialog = () => import("./panel/VideoDialog");
const LinkDialog = lazy(() => linkDialog().then(({ LinkDialog }) => ({ default: LinkDialog })));
const VideoDialog = lazy(() => videoDialog().then(({ VideoDialog }) => ({ default: VideoDialog })));

interface Props {
  session: EditSession;
  pageId: string;
  /** Behind the preview the editor stays mounted and shows no panels. */
  isHidden: boolean;
  /** The field of a question on which the toolbar, menus and panels act; null for the text of the page. */
  field: Editor | null;
  /** The text has got the focus. */
  onFocus: () => void;
  /** Whether the cursor stands in the text at once. */
  autoFocus: boolean;
}

/** The text of a page with its toolbar, menus and panels. */
export function ContentEditor({ session, pageId, isHidden, field, onFocus, autoFocus }: Props) {
  const { t } = useTranslation();
  const holder = useRef<HTMLDivElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const [own, setOwn] = useState<Editor | null>(null);
  const editor = field ?? own;
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
  const focused = useEffectEvent(() => onFocus());
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
    setOwn(created);
    created.on("focus", () => focused());
    const detach = session.attach(created);
    focusFirst(created);
    return () => {
      detach();
      created.destroy();
    };
  }, [session]);

  // The keys of a question's field; those of the text are handled below.
  const openLink = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyK") return;
    event.preventDefault();
    event.stopPropagation();
    setDialog("link");
  });
  useEffect(() => {
    const dom = field?.view.dom;
    if (!dom) return;
    const onKey = (event: globalThis.KeyboardEvent) => openLink(event);
    dom.addEventListener("keydown", onKey);
    return () => dom.removeEventListener("keydown", onKey);
  }, [field]);

  useEffect(() => {
    // The dialogs open without a network too.
    Promise.all([linkDialog(), videoDialog()]).catch(() => {});
  }, []);

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
      <StatusLine editor={own} />
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
      {editor && (
        <Suspense fallback={null}>
          {dialog === "link" && (
            <LinkDialog editor={editor} pageId={pageId} onClose={() => setDialog(null)} />
          )}
          {dialog === "video" && <VideoDialog editor={editor} onClose={() => setDialog(null)} />}
        </Suspense>
      )}
    </div>
  );
}
