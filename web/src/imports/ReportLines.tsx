import { useTranslation } from "../i18n/useTranslation";
import { Tag } from "../ui/Rows";
import classes from "./Imports.module.css";

export interface ReportLine {
  where: string;
  what: string;
  outcome: "CARRIED" | "CHANGED" | "NOT_CARRIED";
  why: string;
}

/** Lines of the report of an import or export. */
export function ReportLines({ lines, busy = false }: { lines: readonly ReportLine[]; busy?: boolean }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.report} aria-busy={busy || undefined}>
      {lines.map((line, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity than their index.
        <li key={n} className={classes.line}>
          <p className={classes.name}>
            {sentence(line.what)}
            <Tag warn={line.outcome === "NOT_CARRIED"} quiet={line.outcome === "CHANGED"}>
              {t(`imports.outcome.${line.outcome}`)}
            </Tag>
          </p>
          <p className={classes.why}>{sentence(line.why)}</p>
          <p className={classes.place}>{line.where}</p>
        </li>
      ))}
    </ol>
  );
}

/** Starts a text with a capital letter: the server's texts are parts of one line for the command line's output. */
const sentence = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);
