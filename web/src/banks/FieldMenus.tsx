import type { Editor } from "@tiptap/core";
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from "react";
import { ActiveField } from "../editor/activeField";
import { insertFiles } from "../editor/behaviour/uploads";
import { BlockPanel } from "../editor/panel/BlockPanel";
import { SlashMenu } from "../editor/toolbar/SlashMenu";

const LinkDialog = lazy(() =>
  import("../editor/panel/LinkDialog").then((module) => ({ default: module.LinkDialog })),
);
const VideoDialog = lazy(() =>
  import("../editor/panel/VideoDialog").then((module) => ({ default: module.VideoDialog })),
);

/** The menus and panels of the page editor, for the fields of a question: what a slash inserts, and the settings of a block. */
export function FieldMenus({ children }: { children: ReactNode }) {
  const [field, setField] = useState<Editor | null>(null);
  const [dialog, setDialog] = useState<"link" | "video" | null>(null);
  const files = useRef<HTMLInputElement>(null);
  const active = useMemo<ActiveField>(
    () => ({
      take: setField,
      release: (gone) => setField((current) => (current === gone ? null : current)),
    }),
    [],
  );
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
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyK" || !field?.isFocused) return;
        // Elsewhere these keys open the command palette.
        event.preventDefault();
        event.stopPropagation();
        setDialog("link");
      }}
    >
      <ActiveField value={active}>{children}</ActiveField>
      <SlashMenu editor={field} dialogs={dialogs} />
      <BlockPanel editor={field} />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          if (field) insertFiles(field.view, [...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      {field && (
        <Suspense fallback={null}>
          {dialog === "link" && <LinkDialog editor={field} pageId={null} onClose={() => setDialog(null)} />}
          {dialog === "video" && <VideoDialog editor={field} onClose={() => setDialog(null)} />}
        </Suspense>
      )}
    </div>
  );
}
