import { useQuery } from "@apollo/client/react";
import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type OpenComments, placeOf } from "../comments/openComments";
import type { Reader } from "../comments/ThreadCard";
import { PageCourseDocument } from "../course/CourseTree.generated";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { optional } from "../ui/optional";
import styles from "./ContentEditor.module.css";
import { createEditor } from "./createEditor";
import type { EditSession } from "./EditSession";
import type { Present } from "./live/others";
import { BlockPanel } from "./panel/BlockPanel";
import { StatusLine } from "./StatusLine";
import { SlashMenu } from "./toolbar/SlashMenu";
import { Toolbar } from "./toolbar/Toolbar";
import { loadInsertDialogs, useInsertDialogs } from "./useInsertDialogs";

// Loaded after the text, which is what authors open the page for.
const Cursors = optional(() => import("./live/Cursors").then(({ Cursors }) => Cursors));
const EditorComments = optional(() =>
  withTexts(import("../comments/EditorComments"), "comments").then(({ EditorComments }) => EditorComments),
);

interface Props {
  session: EditSession;
  pageId: string;
  comments: OpenComments;
  reader: Reader;
  /** Behind the preview the editor stays mounted and shows no panels. */
  isHidden: boolean;
  /** The field of a question on which the toolbar, menus and panels act; null for the text of the page. */
  field: Editor | null;
  /** The other people who have the page open. */
  present: readonly Present[];
  /** The text has got the focus. */
  onFocus: () => void;
  /** Whether the cursor stands in the text at once. */
  autoFocus: boolean;
}

/** The text of a page with its toolbar, menus and panels. */
export function ContentEditor({
  session,
  pageId,
  comments,
  reader,
  isHidden,
  field: chosen,
  present,
  onFocus,
  autoFocus,
}: Props) {
  const { t } = useTranslation();
  const holder = useRef<HTMLDivElement>(null);
  const [own, setOwn] = useState<Editor | null>(null);
  // A field whose quiz was replaced stays chosen until the next rendering.
  const field = chosen?.isDestroyed ? null : chosen;
  const editor = field ?? own;
  const course = useQuery(PageCourseDocument, { variables: { id: pageId } }).data?.page.course;
  const { dialogs, element } = useInsertDialogs(editor, course ?? null, pageId);

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
    dialogs.link();
  });
  useEffect(() => {
    const dom = field && !field.isDestroyed ? field.view.dom : null;
    if (!dom) return;
    const onKey = (event: globalThis.KeyboardEvent) => openLink(event);
    dom.addEventListener("keydown", onKey);
    return () => dom.removeEventListener("keydown", onKey);
  }, [field]);

  // A question has no comments of its own: they are about the whole page.
  const comment = () => comments.start(own && !field ? placeOf(own) : null);

  useEffect(() => {
    loadInsertDialogs().catch(() => {});
  }, []);

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
          dialogs.link();
        } else if (isMod && event.altKey && event.code === "KeyM") {
          event.preventDefault();
          comment();
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
      <div className={styles.commented}>
        <div ref={holder} className={styles.place} />
        {own && present.length > 0 && (
          <Cursors editor={own} pageId={pageId} session={session.id} present={present} />
        )}
        {own && !isHidden && (
          <EditorComments
            comments={comments}
            session={session}
            editor={own}
            pageId={pageId}
            reader={reader}
          />
        )}
      </div>
      <StatusLine editor={own} />
      {!isHidden && (
        <>
          <SlashMenu editor={editor} dialogs={dialogs} />
          <BlockPanel editor={editor} />
        </>
      )}
      {element}
    </div>
  );
}
