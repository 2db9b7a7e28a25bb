import { useTranslation } from "../i18n/useTranslation";
import { IconCheck, IconCopy } from "../ui/icons";
import { useCopy } from "../ui/useCopy";
import classes from "./CopyField.module.css";

/** A read-only text with a button that copies it. */
export function CopyField({ label, value, large }: { label: string; value: string; large?: boolean }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(value);
  const action = t(copied ? "common.copied" : "courseSettings.share.copy");
  return (
    <div className={classes.field}>
      <p className={classes.label}>{label}</p>
      <div className={classes.row}>
        <output className={classes.value} data-large={large || undefined} aria-label={label}>
          {value}
        </output>
        <button type="button" className={classes.copy} aria-label={`${action}: ${label}`} onClick={copy}>
          {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
          <span role="status">{action}</span>
        </button>
      </div>
    </div>
  );
}
