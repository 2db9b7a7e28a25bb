import type { Editor } from "@tiptap/core";
import { lazy, Suspense, useRef, useState } from "react";
import { insertFiles } from "./behaviour/uploads";
import type { LinkedCourse } from "./panel/LinkDialog";
import type { DialogOpeners } from "./toolbar/inserts";

const linkDialog = () => import("./panel/LinkDialog");
const videoDialog = () => import("./panel/VideoDialog");
const LinkDialog = lazy(() => linkDialog().then(({ LinkDialog }) => ({ default: LinkDialog })));
const VideoDialog = lazy(() => videoDialog().then(({ VideoDialog }) => ({ default: VideoDialog })));

/** Loads the code of the dialogs in advance, so that they also open offline. */
export const loadInsertDialogs = () => Promise.all([linkDialog(), videoDialog()]);

/**
 * Provides the dialogs that insert files, links and videos into an editor. The caller has to render `element`. Links can lead to the pages of
 * the course, except to `pageId`, which is being edited.
 */
export function useInsertDialogs(editor: Editor | null, course: LinkedCourse | null, pageId?: string) {
  const [open, setOpen] = useState<"link" | "video" | null>(null);
  const files = useRef<HTMLInputElement>(null);
  const close = () => setOpen(null);
  const dialogs: DialogOpeners = {
    files: (accept) => {
      if (!files.current) return;
      files.current.accept = accept;
      files.current.click();
    },
    link: () => setOpen("link"),
    video: () => setOpen("video"),
  };
  const element = (
    <>
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
          {open === "link" && <LinkDialog editor={editor} course={course} pageId={pageId} onClose={close} />}
          {open === "video" && <VideoDialog editor={editor} onClose={close} />}
        </Suspense>
      )}
    </>
  );
  return { dialogs, element };
}
