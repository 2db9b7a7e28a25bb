import { useTranslation } from "../i18n/useTranslation";
import { IconCheck, IconOffline } from "./icons";
import { IconWarning } from "./laterIcons";
import classes from "./SaveState.module.css";

/** `saved` means that the server has confirmed it. */
export type SaveStateKind = "saved" | "saving" | "unsaved" | "offline" | "conflict" | "failed";

interface SaveStateProps {
  state: SaveStateKind;
  /** Replaces the usual text of the state. */
  text?: string;
  /** Whether screen readers are not told, or by an element around it. */
  isQuiet?: boolean;
}

/** The state of saving as a text, always in the same place. */
export function SaveState({ state, text, isQuiet = false }: SaveStateProps) {
  const { t } = useTranslation();
  const Icon = { saved: IconCheck, offline: IconOffline, conflict: IconWarning, failed: IconWarning }[
    state as string
  ];
  return (
    <p className={classes.state} data-state={state} role={isQuiet ? undefined : "status"}>
      <span className={classes.mark}>
        {Icon ? <Icon size={16} /> : <span className={classes.dot} aria-hidden="true" />}
      </span>
      {text ?? t(`forms.save.${state}`)}
    </p>
  );
}
