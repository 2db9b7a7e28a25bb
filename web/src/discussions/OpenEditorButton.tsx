import { useEffect, useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { wordsOf } from "./discussion";
import { preloadPostEditor } from "./LazyPostEditor";
import classes from "./OpenEditorButton.module.css";

interface Props {
  label: string;
  /** What was written before and not sent. */
  draft: unknown;
  /** Takes the focus back from the editor that was closed, unless another element has it by now. */
  isFocused: boolean;
  onOpen: () => void;
}

/** A line that looks like an empty field, and opens the editor. */
export function OpenEditorButton({ label, draft, isFocused, onOpen }: Props) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocused && document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const words = wordsOf(draft);
  return (
    <button
      ref={button}
      type="button"
      className={classes.line}
      onPointerEnter={preloadPostEditor}
      onFocus={preloadPostEditor}
      onClick={onOpen}
    >
      {words ? t("discussions.write.goOn", { words }) : label}
    </button>
  );
}
