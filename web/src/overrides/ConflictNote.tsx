import { useTranslation } from "../i18n/useTranslation";
import { factsOf } from "./facts";
import classes from "./Overrides.module.css";
import type { Override } from "./overrides";

interface Props {
  /** What is stored; null without an override, undefined without a conflict. */
  stored: Override | null | undefined;
  zone: string;
  now: Date;
}

/** Says what somebody else has stored meanwhile. What was typed stays in the fields. */
export function ConflictNote({ stored, zone, now }: Props) {
  const { t, i18n } = useTranslation();
  if (stored === undefined) return null;
  const facts = stored ? factsOf(stored, now, i18n.language, zone, t).map(([, text]) => text) : [];
  return (
    <div className={classes.conflict} role="alert">
      <p>{facts.length > 0 ? t("overrides.conflict.changed") : t("overrides.conflict.removed")}</p>
      {facts.length > 0 && (
        <ul>
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      <p>{t("overrides.conflict.kept")}</p>
    </div>
  );
}
