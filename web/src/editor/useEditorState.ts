import type { Editor } from "@tiptap/core";
import { useCallback, useRef, useSyncExternalStore } from "react";

/**
 * What a control shows of the editor. Looked at once a frame, after the letter is on the screen: typing never waits for a button to
 * find out whether it is pressed.
 */
export function useEditorState<T>(editor: Editor | null, select: (editor: Editor) => T, empty: T): T {
  const last = useRef(empty);
  const get = () => {
    if (!editor || editor.isDestroyed) return last.current;
    const next = select(editor);
    if (!same(last.current, next)) last.current = next;
    return last.current;
  };
  const snapshot = useRef<T>(empty);
  const current = useRef(get);
  current.current = get;
  const subscribe = useCallback(
    (listener: () => void) => {
      if (!editor) return () => {};
      let scheduled = 0;
      const look = () => {
        scheduled = 0;
        const next = current.current();
        if (next === snapshot.current) return;
        snapshot.current = next;
        listener();
      };
      const schedule = () => {
        scheduled ||= requestAnimationFrame(() => {
          scheduled = window.setTimeout(look, 0);
        });
      };
      snapshot.current = current.current();
      listener();
      editor.on("transaction", schedule);
      editor.on("focus", schedule);
      editor.on("blur", schedule);
      return () => {
        cancelAnimationFrame(scheduled);
        clearTimeout(scheduled);
        editor.off("transaction", schedule);
        editor.off("focus", schedule);
        editor.off("blur", schedule);
      };
    },
    [editor],
  );
  return useSyncExternalStore(subscribe, () => snapshot.current);
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.is(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}
