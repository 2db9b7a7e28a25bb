import { memo } from "react";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./DatesDrawing.module.css";
import { dateOf, type Part } from "./parts";
import { partTitle } from "./partTitle";

const DAY = 86_400_000;

interface Props {
  parts: readonly Part[];
  zone: string;
}

/** The dates as a drawing: a bar from the opening to the close, a mark at the due date. The table says the same to screen readers. */
export const DatesDrawing = memo(function DatesDrawing({ parts, zone }: Props) {
  const { t, i18n } = useTranslation();
  const rows = parts.flatMap((part) => {
    const [opens, due, late, closes] = (["opens", "due", "late", "closes"] as const).map((column) => {
      const at = dateOf(part, column);
      return at === null ? null : Date.parse(at);
    });
    const times = [opens, due, late, closes].filter((at) => at != null);
    return times.length > 0 ? { part, opens, due, late, closes, times } : [];
  });
  const all = rows.flatMap(({ times }) => times);
  const from = Math.min(...all) - DAY;
  const to = Math.max(...all) + DAY;
  const at = (time: number) => `${(100 * (time - from)) / (to - from)}%`;
  const now = new Date();
  const shown = (time: number) => momentOf(new Date(time).toISOString(), now, i18n.language, zone).day;
  const isNowInside = now.getTime() > from && now.getTime() < to;
  return (
    <figure className={classes.drawing} aria-hidden="true">
      <figcaption className={classes.caption}>
        <span>{shown(from + DAY)}</span>
        <span className={classes.legend}>{t("dates.table.drawing")}</span>
        <span>{shown(to - DAY)}</span>
      </figcaption>
      {rows.map(({ part, opens, due, late, closes }) => (
        <div key={part.id} className={classes.row} data-kind={part.kind}>
          <span className={classes.name}>{partTitle(part, t)}</span>
          <span className={classes.track}>
            {(opens != null || closes != null) && (
              <span
                className={classes.bar}
                data-open-start={opens == null || undefined}
                data-open-end={closes == null || undefined}
                style={{
                  insetInlineStart: at(opens ?? from),
                  insetInlineEnd: `calc(100% - ${at(closes ?? to)})`,
                }}
              />
            )}
            {due != null && late != null && (
              <span
                className={classes.late}
                style={{ insetInlineStart: at(due), insetInlineEnd: `calc(100% - ${at(late)})` }}
              />
            )}
            {due != null && <span className={classes.due} style={{ insetInlineStart: at(due) }} />}
            {isNowInside && <span className={classes.now} style={{ insetInlineStart: at(now.getTime()) }} />}
          </span>
        </div>
      ))}
    </figure>
  );
});
