import { type ReactNode, useState } from "react";
import { fileSize } from "../content/fileSize";
import { useTranslation } from "../i18n/useTranslation";
import { IconDownload, IconPage } from "../ui/laterIcons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./AnswerFiles.module.css";
import { type AnswerFile, displayOf } from "./files";

interface AnswerFilesProps {
  files: readonly AnswerFile[];
  label: string;
  /** Whether images are shown as large as there is room, for those who grade them. */
  isLarge?: boolean;
  /** Renders a file above its name, in place of its image and outside of its link; null for the image. */
  picture?: (file: AnswerFile) => ReactNode;
}

/** The files of a submitted answer: images are shown and open in a new tab, as a PDF does; other files are downloaded. */
export function AnswerFiles({ files, label, isLarge = false, picture }: AnswerFilesProps) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
    <ul role="list" className={classes.files} data-large={isLarge || undefined} aria-label={label}>
      {files.map((file) => (
        <li key={file.id}>
          <OneFile file={file} picture={picture?.(file) ?? null} />
        </li>
      ))}
    </ul>
  );
}

function OneFile({ file, picture }: { file: AnswerFile; picture: ReactNode }) {
  const { t } = useTranslation();
  /** The address at which the browser could not show the image: it may have expired, and the next one is another. */
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const display = displayOf(file);
  const Icon = display === "download" ? IconDownload : IconPage;
  const link = (
    <a
      className={classes.file}
      href={file.url}
      {...(display === "download" ? { download: file.filename } : { target: "_blank", rel: "noopener" })}
      data-file
    >
      {!picture && display === "image" && brokenUrl !== file.url && (
        // The name below says what the image is.
        <img
          className={classes.image}
          src={file.url}
          alt=""
          loading="lazy"
          onError={() => setBrokenUrl(file.url)}
        />
      )}
      <span className={classes.about}>
        <Icon size={18} className={classes.icon} />
        <span className={classes.name}>{file.filename}</span>
        <span className={classes.size}>{t("content.fileSize", fileSize(file.size))}</span>
        <VisuallyHidden>
          {display === "download" ? t("content.download") : t("quiz.files.newTab")}
        </VisuallyHidden>
      </span>
    </a>
  );
  return picture ? (
    <div className={classes.withPicture}>
      {picture}
      {link}
    </div>
  ) : (
    link
  );
}
