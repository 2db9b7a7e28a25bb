import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import styles from "./ContentEditor.module.css";
import { countWords } from "./countWords";

/** Average reading speed. */
const WORDS_A_MINUTE = 180;
const PAUSE_MS = 400;

/** The length of the text and the number of images without alternative text, counted when typing pauses. */
export function StatusLine({ editor }: { editor: Editor | null }) {
  const { t } = useTranslation();
  const [{ words, pictures }, setCount] = useState({ words: 0, pictures: 0 });
  useEffect(() => {
    if (!editor) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastChange = 0;
    const count = () =>
      setCount({ words: countWords(editor.state.doc), pictures: withoutAlt(editor.state.doc) });
    // One timer serves a burst of key presses, because setting a timer costs more than reading the clock.
    const countAfterPause = () => {
      const left = lastChange + PAUSE_MS - performance.now();
      timer = left > 0 ? setTimeout(countAfterPause, left) : undefined;
      if (left <= 0) count();
    };
    const onUpdate = () => {
      lastChange = performance.now();
      timer ??= setTimeout(countAfterPause, PAUSE_MS);
    };
    count();
    editor.on("update", onUpdate);
    return () => {
      clearTimeout(timer);
      editor.off("update", onUpdate);
    };
  }, [editor]);
  return (
    <p className={styles.status}>
      <span>{t("editor.words", { count: words })}</span>
      {words > 0 && (
        <span>{t("editor.minutes", { count: Math.max(1, Math.round(words / WORDS_A_MINUTE)) })}</span>
      )}
      {pictures > 0 && <span className={styles.lacks}>{t("editor.withoutAlt", { count: pictures })}</span>}
      <span className={styles.hint}>{t("editor.keysHint")}</span>
    </p>
  );
}

function withoutAlt(doc: Node): number {
  let count = 0;
  doc.descendants((node) => {
    if (node.type.name === "image" && node.attrs.alt === null) count += 1;
    return !node.isTextblock;
  });
  return count;
}
