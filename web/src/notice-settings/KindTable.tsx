import { useId } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { ChoiceRow } from "./ChoiceRow";
import type { Choice, Delivery, Kind } from "./changes";
import { KINDS } from "./changes";
import classes from "./NoticeSettings.module.css";
import type { Outcome } from "./usePreferences";

interface Props {
  choices: readonly Choice[];
  outcome: Outcome | null;
  /** Whether the user has devices that receive pushes. */
  withPush: boolean;
  onChoose: (choice: Delivery) => void;
  onReset: (kind: Kind) => void;
}

/** The choices for all courses: a table on wide screens, a list on narrow ones. */
export function KindTable({ choices, outcome, withPush, onChoose, onReset }: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={classes.table} data-push={withPush || undefined}>
      <ColumnHeads withPush={withPush} />
      {(["learning", "teaching"] as const).map((part) => (
        <section key={part} className={classes.part} aria-labelledby={`${id}-${part}`}>
          <h3 id={`${id}-${part}`} className={classes.partTitle}>
            {t(`noticeSettings.kinds.${part}`)}
          </h3>
          <ul className={classes.rows}>
            {KINDS[part].map((kind) => {
              const choice = choices.find((one) => one.kind === kind);
              return (
                choice && (
                  <ChoiceRow
                    key={kind}
                    choice={choice}
                    name={t(`noticeSettings.kind.${kind}`)}
                    state={stateOf(outcome, kind)}
                    withPush={withPush}
                    reset={
                      choice.isDefault
                        ? null
                        : t("noticeSettings.kinds.resetOf", { kind: t(`noticeSettings.kind.${kind}`) })
                    }
                    onChoose={onChoose}
                    onReset={() => onReset(kind)}
                  />
                )
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The column headings. Each control also has its own label. */
export function ColumnHeads({ withPush }: { withPush: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={classes.heads} aria-hidden="true">
      <span>{t("noticeSettings.kinds.kind")}</span>
      <span>{t("noticeSettings.kinds.inApp")}</span>
      {withPush && <span>{t("noticeSettings.kinds.push")}</span>}
      <span>{t("noticeSettings.kinds.byMail")}</span>
    </div>
  );
}

/** The state of the last change if it was this choice. */
export function stateOf(outcome: Outcome | null, kind: Kind, courseId?: string): Outcome["state"] | null {
  if (!outcome || outcome.change.what === "settings") return null;
  const { input } = outcome.change;
  return input.kind === kind && (input.courseId ?? undefined) === courseId ? outcome.state : null;
}
