import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import type { ImportChangesQuery } from "./Imports.generated";
import classes from "./Imports.module.css";

type Changes = NonNullable<ImportChangesQuery["importPreview"]["changes"]>;
type DateChange = Changes["dates"][number];

/** The dates that an update changes, each with what it was and what it becomes. */
export function DateChanges({ dates, omitted }: { dates: readonly DateChange[]; omitted: number }) {
  const { t, i18n } = useTranslation();
  if (dates.length === 0) return null;
  const said = (iso: string | null) => {
    if (iso === null) return t("imports.dates.none");
    const { day, time } = momentOf(iso, new Date(), i18n.language);
    return `${day}, ${time}`;
  };
  const name = ({ part, title, number }: DateChange) =>
    part === "COURSE" ? t("imports.dates.course") : (title ?? t("imports.pageNumber", { number }));
  return (
    <details className={classes.module} open={dates.length <= 12}>
      <summary>
        <span className={classes.moduleTitle}>{t("imports.dates.heading")}</span>
        <span className={classes.dim}>{dates.length + omitted}</span>
      </summary>
      <ul className={classes.lessons}>
        {dates.map((date, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <li key={index}>
            {name(date)} <span className={classes.dim}>{t(`imports.dates.field.${date.field}`)}</span>
            <br />
            {t("imports.dates.change", { before: said(date.before), after: said(date.after) })}
          </li>
        ))}
      </ul>
      {omitted > 0 && <p className={classes.dim}>{t("imports.omitted", { count: omitted })}</p>}
    </details>
  );
}
