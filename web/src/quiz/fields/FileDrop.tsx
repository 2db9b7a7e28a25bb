import { type DragEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { IconUpload } from "../../ui/authorIcons";
import { Button } from "../../ui/Button";

import { kindsText } from "../files";
import classes from "./FilesInput.module.css";

interface FileDropProps {
  extensions: readonly string[];
  /** Whether the answer takes one file. */
  isSingle: boolean;
  disabled: boolean;
  /** Takes the chosen or dropped files; dropped folders are marked. */
  onChoose: (chosen: (File & { isFolder?: boolean })[]) => void;
}

/** The place to drop files, with a button that chooses them. */
export function FileDrop({ extensions, isSingle, disabled, onChoose }: FileDropProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  useIgnoredDrops();
  const label = t(isSingle ? "quiz.files.chooseOne" : "quiz.files.choose");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button inside does the same
    <div
      className={classes.drop}
      data-over={(isOver && !disabled) || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = disabled ? "none" : "copy";
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const dropped = filesOf(event);
        if (dropped.length > 0 && !disabled) onChoose(dropped);
      }}
    >
      <p className={classes.dropText}>{t("quiz.files.drop")}</p>
      <Button
        variant="default"
        icon={<IconUpload size={18} />}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={!isSingle}
        accept={kindsText(extensions)}
        aria-label={label}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          // Resets the input, so that choosing the same file again triggers a change event.
          event.currentTarget.value = "";
          if (chosen.length > 0) onChoose(chosen);
        }}
      />
    </div>
  );
}

function filesOf({ dataTransfer }: DragEvent): (File & { isFolder?: boolean })[] {
  return [...dataTransfer.items].flatMap((item) => {
    const file = item.getAsFile();
    if (!file) return [];
    return item.webkitGetAsEntry?.()?.isDirectory ? Object.assign(file, { isFolder: true }) : file;
  });
}

/** A file that is dropped beside its place would replace the page in the browser, with the answers on it. */
function useIgnoredDrops() {
  useEffect(() => {
    const ignore = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    window.addEventListener("dragover", ignore);
    window.addEventListener("drop", ignore);
    return () => {
      window.removeEventListener("dragover", ignore);
      window.removeEventListener("drop", ignore);
    };
  }, []);
}
