import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent, useState } from "react";

/**
 * The part of the editor's state that a control shows. It is read once per frame after the key press is painted, so that controls do not
 * delay typing. The component renders again when the selected value differs by `isSame`; fields are compared by default.
 */
export function useEditorState<T>(
  editor: Editor | null,
  select: (editor: Editor) => T,
  empty: T,
  isSame: (before: T, now: T) => boolean = sameFields,
): T {
  const [shown, setShown] = useState(empty);
  const read = useEffectEvent(() => {
    if (!editor || editor.isDestroyed) return;
    const now = select(editor);
    setShown((before) => (isSame(before, now) ? before : now));
  });
  useEffect(() => {
    if (!editor) return;
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => {
          frame = 0;
          read();
        }, 0);
      });
    };
    read();
    editor.on("transaction", schedule);
    editor.on("focus", schedule);
    editor.on("blur", schedule);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      editor.off("transaction", schedule);
      editor.off("focus", schedule);
      editor.off("blur", schedule);
    };
  }, [editor]);
  return shown;
}

function sameFields(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.is(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}
