import { type ReactNode, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { type Cell, namesOf, shownDecimal } from "./grades";
import classes from "./ImportGrades.module.css";
import type { GradeTable, TableChange } from "./tableFile";
import { useGradeSettings } from "./useGradeSettings";

/** The number of rows that are shown at first. */
const FEW = 100;

/** What a table changes, what is not read of it and why, and how many cells change nothing. */
export function TablePreview({ courseId, table }: { courseId: string; table: GradeTable }) {
  const { t } = useTranslation();
  const { settings } = useGradeSettings(courseId);
  const titles = namesOf(settings?.items ?? []);
  const { changes, refusals, refused, unchanged, isApplied } = table;
  return (
    <>
      <p className={classes.figures} role="status">
        {[
          !isApplied && t("students.grades.table.changes", { count: changes.length }),
          t("students.grades.table.unchanged", { count: unchanged }),
          refused > 0 && t("students.grades.table.refused", { count: refused }),
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
      {refusals.length > 0 && (
        <section className={classes.refusals} aria-label={t("students.grades.table.refusals")}>
          <h3 className={classes.heading}>{t("students.grades.table.refusals")}</h3>
          <Short
            rows={refusals.map(({ line, column, message }) => ({
              key: `${line} ${column}`,
              row: (
                <>
                  <span className={classes.place}>
                    {column === null
                      ? t("students.grades.table.line", { line })
                      : t("students.grades.table.cell", { line, column })}
                  </span>
                  <span>{message}</span>
                </>
              ),
            }))}
          />
          {refused > refusals.length && (
            <p className={classes.text}>
              {t("students.grades.table.more", { count: refused - refusals.length })}
            </p>
          )}
        </section>
      )}
      {changes.length > 0 && (
        <section aria-label={t("students.grades.table.list")}>
          <h3 className={classes.heading}>{t("students.grades.table.list")}</h3>
          <Short
            rows={changes.map((change) => ({
              key: `${change.enrollmentId} ${change.pageId}`,
              row: <Change change={change} title={titles.get(change.pageId) ?? ""} />,
            }))}
          />
        </section>
      )}
    </>
  );
}

function Change({ change, title }: { change: TableChange; title: string }) {
  const { t, i18n } = useTranslation();
  const before = change.before as Cell;
  const points = (decimal: string) =>
    `${shownDecimal(decimal, i18n.language)} ${t("students.grades.pointsShort")}`;
  const was =
    before.source === "excused"
      ? t("students.grades.signs.excused")
      : before.points === undefined
        ? t("students.grades.table.nothing")
        : points(before.points);
  const becomes =
    change.kind === "EXCUSED"
      ? t("students.grades.signs.excused")
      : change.kind === "REMOVED"
        ? t("students.grades.table.automatic")
        : points(change.points ?? "");
  return (
    <>
      <span className={classes.person}>
        {change.fullName || change.email}
        <span className={classes.page}>{title}</span>
      </span>
      <span className={classes.values}>
        <span>{t("students.grades.table.was", { grade: was })}</span>{" "}
        <strong>{t("students.grades.table.becomes", { grade: becomes })}</strong>
      </span>
    </>
  );
}

/** A list whose rows beyond the first hundred are shown on demand. */
function Short({ rows }: { rows: readonly { key: string; row: ReactNode }[] }) {
  const { t } = useTranslation();
  const [isAll, setAll] = useState(false);
  return (
    <>
      <ul className={classes.rows}>
        {(isAll ? rows : rows.slice(0, FEW)).map(({ key, row }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may be refused twice for one column
          <li key={`${key} ${at}`} className={classes.row}>
            {row}
          </li>
        ))}
      </ul>
      {!isAll && rows.length > FEW && (
        <Button variant="default" onClick={() => setAll(true)}>
          {t("students.grades.table.all", { count: rows.length })}
        </Button>
      )}
    </>
  );
}
