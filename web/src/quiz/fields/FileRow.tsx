import { fileSize } from "../../content/fileSize";
import { useTranslation } from "../../i18n/useTranslation";
import { IconUpload } from "../../ui/authorIcons";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { IconCheck, IconClose } from "../../ui/icons";
import { IconWarning } from "../../ui/laterIcons";
import { ProgressBar } from "../../ui/ProgressBar";
import { IconClock } from "../../ui/timeIcons";
import classes from "./FilesInput.module.css";
import type { Upload } from "./useUploads";

const ICONS = { stored: IconCheck, queued: IconClock, running: IconUpload, failed: IconWarning } as const;

interface FileRowProps {
  name: string;
  /** In bytes. */
  size: number;
  /** Null for a file that the server has. */
  upload: Upload | null;
  disabled: boolean;
  /** Removes the file, or cancels its upload. */
  remove: () => void;
  onRetry: () => void;
}

/** A chosen file: its name, its size, and how far its upload is. */
export function FileRow({ name, size, upload, disabled, remove, onRetry }: FileRowProps) {
  const { t } = useTranslation();
  const state = upload?.state ?? "stored";
  const percent = Math.floor((upload?.share ?? 0) * 100);
  const Icon = ICONS[state];
  return (
    <li className={classes.row} data-state={state}>
      <Icon size={18} className={classes.icon} />
      <div className={classes.about}>
        <span className={classes.name}>{name}</span>
        <span className={classes.fact}>
          {t("content.fileSize", fileSize(size))}
          {state === "running" &&
            ` · ${percent < 100 ? t("quiz.files.sent", { percent }) : t("quiz.files.arriving")}`}
          {state === "queued" && ` · ${t("quiz.files.queued")}`}
        </span>
        {upload?.problem && <span className={classes.problem}>{upload.problem}</span>}
        {state === "running" && <ProgressBar percent={percent} label={t("quiz.files.progress", { name })} />}
        {state === "failed" && upload?.mayRetry && (
          <Button
            variant="default"
            disabled={disabled}
            aria-label={t("quiz.files.retry", { name })}
            onClick={onRetry}
          >
            {t("common.retry")}
          </Button>
        )}
      </div>
      <IconButton
        data-remove
        disabled={disabled}
        aria-label={t(upload && state !== "failed" ? "quiz.files.cancel" : "quiz.files.remove", { name })}
        onClick={remove}
      >
        <IconClose size={18} />
      </IconButton>
    </li>
  );
}
