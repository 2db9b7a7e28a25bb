import { useTranslation } from "../i18n/useTranslation";
import { IconCheck, IconCopy } from "../ui/icons";
import { useCopy } from "../ui/useCopy";
import classes from "./ShareCode.module.css";

/** The share code with a button that copies it. */
export function ShareCode({ code, course }: { code: string; course: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(code);
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
      <span className={classes.status} role="status">
        {copied ? t("common.copied") : ""}
      </span>
    </div>
  );
}
