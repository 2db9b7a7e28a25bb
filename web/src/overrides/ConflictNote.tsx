import type { Part } from "../dates/parts";
import { partTitle } from "../dates/partTitle";
import { useTranslation } from "../i18n/useTranslation";
import { factsOf } from "./facts";
import classes from "./Overrides.module.css";
import type { Override } from "./overrides";

/** What somebody else has stored while the form was open. */
export interface Conflict {
  /** The override of the form's part; null without an override, undefined if it has not changed. */
  stored: Override | null | undefined;
  /** The parts above it whose overrides have changed. */
  others: readonly Part[];
}

interface Props {
  conflict: Conflict | undefined;
  zone: string;
  now: Date;
}

/** Says what somebody else has stored meanwhile. What was typed stays in the fields. */
export function ConflictNote({ conflict, zone, now }: Props) {
  const { t, i18n } = useTranslation();
  const { stored, others = [] } = conflict ?? {};
  if (stored === undefined && others.length === 0) return null;
  const facts = stored ? factsOf(stored, now, i18n.language, zone, t).map(([, text]) => text) : [];
  const parts = others.map((part) => t("dates.locked.title", { title: partTitle(part, t) }));
  return (
    <div className={classes.conflict} role="alert">
      {stored !== undefined && (
        <p>{facts.length > 0 ? t("overrides.conflict.changed") : t("overrides.conflict.removed")}</p>
      )}
      {facts.length > 0 && (
        <ul>
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {parts.length > 0 && (
        <p>{t("overrides.conflict.others", { parts: new Intl.ListFormat(i18n.language).format(parts) })}</p>
      )}
      <p>{t("overrides.conflict.kept")}</p>
    </div>
  );
}
