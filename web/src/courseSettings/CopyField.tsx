import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconCheck, IconCopy } from "../ui/icons";
import { toastFailure } from "../ui/toasts";
import classes from "./CopyField.module.css";

const SAID_FOR_MS = 2000;

/** A text to be taken elsewhere, with the button that copies it. */
export function CopyField({ label, value, large }: { label: string; value: string; large?: boolean }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(value).then(() => setCopied(true), toastFailure);
  };
  return (
    <div className={classes.field}>
      <p className={classes.label}>{label}</p>
      <div className={classes.row}>
        <output className={classes.value} data-large={large || undefined} aria-label={label}>
          {value}
        </output>
        <button
          type="button"
          className={classes.copy}
          aria-label={`${t("courseSettings.share.copy")}: ${label}`}
          onClick={copy}
        >
          {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
          <span role="status">{copied ? t("common.copied") : t("courseSettings.share.copy")}</span>
        </button>
      </div>
    </div>
  );
}
