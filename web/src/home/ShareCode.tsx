import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconCheck, IconCopy } from "../ui/icons";
import { toastFailure } from "../ui/toasts";
import classes from "./ShareCode.module.css";

const SAID_FOR_MS = 2000;

/** The code learners enter, with a button that copies it. */
export function ShareCode({ code, course }: { code: string; course: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(code).then(() => setCopied(true), toastFailure);
  };
  return (
    <div className={classes.share}>
      <span className={classes.label}>{t("home.shareCode")}</span>
      <code className={classes.code}>{code}</code>
      <button
        type="button"
        className={classes.copy}
        aria-label={t("home.copyShareCode", { course })}
        onClick={copy}
      >
        {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
      </button>
      <span className={classes.said} role="status">
        {copied ? t("common.copied") : ""}
      </span>
    </div>
  );
}
