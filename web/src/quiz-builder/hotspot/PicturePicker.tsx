import { type DragEvent, useEffect, useRef, useState } from "react";
import type { ContentNode } from "../../content/model";
import { uploadFile } from "../../editor/upload";
import { useLeaveQuestion } from "../../forms/useLeaveGuard";
import { useTranslation } from "../../i18n/useTranslation";
import { imageOf } from "../../quiz/hotspot/picture";
import { Button } from "../../ui/Button";
import { IconImage } from "../../ui/laterIcons";
import { ProgressBar } from "../../ui/ProgressBar";
import { failureText } from "../../ui/toasts";
import { TextField } from "../parts";
import classes from "./PicturePicker.module.css";

/** The server's limit on the characters of a description. */
const ALT_MAX = 1000;

interface PicturePickerProps {
  /** The document of the picture; null without one. */
  picture: unknown;
  /** Takes the picture as it is at that time and returns the next one. */
  onEdit: (change: (picture: unknown) => unknown) => void;
  /** Called with the picture that another one has replaced. */
  onReplaced: (before: unknown) => void;
  problem: React.ReactNode;
}

/** Uploads the picture of a question, and asks for its description. */
export function PicturePicker({ picture, onEdit, onReplaced, problem }: PicturePickerProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController | null>(null);
  const [upload, setUpload] = useState<{ name: string; share: number } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const image = imageOf(picture);
  const stop = () => running.current?.abort();
  useLeaveQuestion({ element: root, isUnsaved: upload !== null, isUpload: true, discard: stop });
  // A closed question takes no picture any more.
  useEffect(() => () => running.current?.abort(), []);

  const put = async (file: File) => {
    stop();
    const cancel = new AbortController();
    running.current = cancel;
    setFailure(null);
    setUpload({ name: file.name, share: 0 });
    try {
      const { type, attrs } = await uploadFile(file, {
        signal: cancel.signal,
        onProgress: (share) => setUpload({ name: file.name, share }),
      });
      if (cancel.signal.aborted) return;
      if (type !== "image") return setFailure(t("quizBuilder.hotspot.picture.wrong"));
      const before = picture;
      onEdit((now) => withImage({ ...attrs, ...altOf(now) }));
      if (before) onReplaced(before);
    } catch (problem) {
      if (!cancel.signal.aborted) setFailure(failureText(problem));
    } finally {
      if (running.current === cancel) {
        running.current = null;
        setUpload(null);
      }
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) void put(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button inside does the same
    <div
      ref={root}
      className={classes.picker}
      data-empty={image ? undefined : ""}
      data-over={isOver || undefined}
      data-problem={problem ? "" : undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t("quizBuilder.hotspot.picture.choose")}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void put(file);
          event.currentTarget.value = "";
        }}
      />
      {image && (
        <div className={classes.alt}>
          <TextField
            label={t("quizBuilder.hotspot.picture.alt")}
            hint={t("quizBuilder.hotspot.picture.altHint")}
            value={typeof image.attrs?.alt === "string" ? image.attrs.alt : ""}
            maxLength={ALT_MAX}
            onChange={(event) => {
              const alt = event.currentTarget.value;
              onEdit((now) => withImage({ ...imageOf(now)?.attrs, alt: alt || null }));
            }}
          />
        </div>
      )}
      {upload ? (
        <div className={classes.upload}>
          <span>{upload.name}</span>
          <ProgressBar
            percent={Math.round(upload.share * 100)}
            label={t("editor.upload.progress", { name: upload.name })}
          />
          <Button size="compact" variant="subtle" onClick={stop}>
            {t("ui.cancel")}
          </Button>
        </div>
      ) : (
        <Button variant="default" icon={<IconImage size={18} />} onClick={() => input.current?.click()}>
          {t(image ? "quizBuilder.hotspot.picture.replace" : "quizBuilder.hotspot.picture.choose")}
        </Button>
      )}
      {!image && <p className={classes.hint}>{t("quizBuilder.hotspot.picture.drop")}</p>}
      {(failure ?? problem) && (
        <p className={failure ? classes.failure : classes.problem} role={failure ? "alert" : undefined}>
          {failure ?? problem}
        </p>
      )}
    </div>
  );
}

function withImage(attrs: Record<string, unknown>): ContentNode {
  // What is not known is left out, as in the documents of pages.
  const known = Object.fromEntries(Object.entries(attrs).filter(([, value]) => value !== null));
  return { type: "doc", content: [{ type: "image", attrs: known }] };
}

/** The description of a picture stays with the one that replaces it, where the author sees it. */
function altOf(picture: unknown): { alt?: unknown } {
  const alt = imageOf(picture)?.attrs?.alt;
  return typeof alt === "string" ? { alt } : {};
}
