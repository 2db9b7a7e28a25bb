import { useTranslation } from "../i18n/useTranslation";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { IconReturn } from "../ui/laterIcons";
import { SaveState } from "../ui/SaveState";
import { Select } from "../ui/Select";
import { type Choice, type Delivery, hasHint, MAILS } from "./changes";
import classes from "./NoticeSettings.module.css";
import type { Outcome } from "./usePreferences";

interface Props {
  choice: Choice;
  /** The name of the kind. */
  name: string;
  /** The state of the last change, if it was to this choice. */
  state: Outcome["state"] | null;
  /** The label of the button that removes the choice; null without a button. */
  reset: string | null;
  /** Whether removing the choice removes the row. */
  isRemoved?: boolean;
  /** Whether pushes can be chosen; otherwise they stay as they are. */
  withPush: boolean;
  onChoose: (choice: Delivery) => void;
  onReset: () => void;
}

/** The delivery of one kind of notice. */
export function ChoiceRow({ choice, name, state, reset, isRemoved, withPush, onChoose, onReset }: Props) {
  const { t } = useTranslation();
  const { kind, inApp, mail, push } = choice;
  const choose = (change: Partial<Delivery>) => onChoose({ kind, inApp, mail, ...change });
  return (
    <li className={classes.row}>
      <div className={classes.name}>
        <span className={classes.nameLine}>
          {name}
          {state && <SaveState state={state} text="" isQuiet />}
        </span>
        {hasHint(kind) && <span className={classes.hint}>{t(`noticeSettings.hint.${kind}`)}</span>}
      </div>
      <label className={classes.inApp}>
        <input
          type="checkbox"
          aria-label={t("noticeSettings.kinds.inAppOf", { kind: name })}
          checked={inApp}
          onChange={(event) => choose({ inApp: event.currentTarget.checked })}
        />
        <span className={classes.narrow}>{t("noticeSettings.kinds.inApp")}</span>
      </label>
      {withPush && (
        <label className={classes.inApp}>
          <input
            type="checkbox"
            aria-label={t("noticeSettings.kinds.pushOf", { kind: name })}
            checked={push}
            onChange={(event) => choose({ push: event.currentTarget.checked })}
          />
          <span className={classes.narrow}>{t("noticeSettings.kinds.push")}</span>
        </label>
      )}
      <div className={classes.mail}>
        <span className={classes.narrow} aria-hidden="true">
          {t("noticeSettings.kinds.byMail")}
        </span>
        <Select
          aria-label={t("noticeSettings.kinds.byMailOf", { kind: name })}
          value={mail}
          options={MAILS.map((value) => ({ value, label: t(`noticeSettings.mail.${value}`) }))}
          onChange={(event) => choose({ mail: event.currentTarget.value as Choice["mail"] })}
        />
      </div>
      <div className={classes.tool}>
        {reset !== null && (
          <IconButton aria-label={reset} title={reset} onClick={onReset}>
            {isRemoved ? <IconClose size={18} /> : <IconReturn size={18} />}
          </IconButton>
        )}
      </div>
    </li>
  );
}
