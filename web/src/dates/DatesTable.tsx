import { Link } from "@tanstack/react-router";
import {
  Fragment,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useLeaveGuard } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { ExtendDialog } from "../overrides/ExtendDialog";
import { countByPart } from "../overrides/overrides";
import { useOverrides } from "../overrides/useOverrides";
import { Button } from "../ui/Button";
import { IconClock } from "../ui/timeIcons";
import { DateCell } from "./DateCell";
import classes from "./DatesTable.module.css";
import { COLUMNS, type Column, fieldOf, type Part } from "./parts";
import { partTitle } from "./partTitle";
import { ShiftBar } from "./ShiftBar";
import { cellKey, useCellEdits } from "./useCellEdits";
import { useSetDates } from "./useSetDates";
import { useShownRows } from "./useShownRows";
import { useUndo } from "./useUndo";

/** What is selected together. */
const KINDS = [
  ["modules", ({ kind }: Part) => kind === "module"],
  ["lessons", ({ kind }: Part) => kind === "lesson"],
  ["pages", ({ kind }: Part) => kind === "page"],
  ["quizzes", ({ kind, item }: Part) => kind === "page" && "kind" in item && item.kind === "QUIZ"],
  ["assignments", ({ kind, item }: Part) => kind === "page" && "kind" in item && item.kind === "ASSIGNMENT"],
] as const;

interface Props {
  courseId: string;
  parts: readonly Part[];
  zone: string;
  editable: boolean;
  /** Whether the user gives students and groups other dates. */
  mayExtend: boolean;
}

/** A cell by its row and its column. */
interface Place {
  row: number;
  column: number;
}

/** The table of all parts with their dates. One cell is in the order of Tab; the arrows move between the cells. */
export function DatesTable({ courseId, parts, zone, editable, mayExtend }: Props) {
  const { t } = useTranslation();
  const kindsId = useId();
  const table = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [extending, setExtending] = useState<string | null>(null);
  const { overrides } = useOverrides(courseId);
  const extensions = useMemo(() => countByPart(overrides ?? [], courseId), [overrides, courseId]);
  const undo = useUndo();
  const dates = useSetDates(courseId, parts, overrides ?? [], zone, undo);
  const edits = useCellEdits(zone, dates, undo);
  const shown = useShownRows(table, parts.length, active.row);
  useLeaveGuard({
    name: "date-cell",
    subject: courseId,
    element: table,
    isUnsaved: edits.isUnsaved,
    discard: () => flushSync(edits.discard),
    values: edits.typed,
    restore: edits.restore,
  });

  const focus = ({ row, column }: Place) => {
    const to = {
      row: Math.min(Math.max(row, 0), parts.length - 1),
      column: Math.min(Math.max(column, 0), COLUMNS.length - 1),
    };
    // A row that is far away is rendered first.
    flushSync(() => setActive(to));
    table.current?.querySelector<HTMLElement>(`[data-cell="${to.row}-${to.column}"]`)?.focus();
  };
  const toggle = (id: string) => {
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  };
  const onKeyDown = (event: KeyboardEvent, place: Place, part: Part, column: Column) => {
    if (event.altKey || event.nativeEvent.isComposing) return;
    const { row, column: at } = place;
    const control = event.ctrlKey || event.metaKey;
    const moves: Record<string, Place> = {
      ArrowUp: { row: control ? 0 : row - 1, column: at },
      ArrowDown: { row: control ? parts.length - 1 : row + 1, column: at },
      ArrowLeft: { row, column: at - 1 },
      ArrowRight: { row, column: at + 1 },
      Home: { row: control ? 0 : row, column: 0 },
      End: { row: control ? parts.length - 1 : row, column: COLUMNS.length - 1 },
      PageUp: { row: row - 10, column: at },
      PageDown: { row: row + 10, column: at },
    };
    const to = moves[event.key];
    if (to) {
      event.preventDefault();
      return focus(to);
    }
    if (editable && control && !event.shiftKey && event.code === "KeyZ") {
      event.preventDefault();
      return undo.undoLast();
    }
    if (!editable || control) return;
    if (event.key === " ") {
      event.preventDefault();
      return toggle(part.id);
    }
    if (fieldOf(part, column) === null) return;
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      edits.open(part, column);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      void edits.save(part, column, "");
    } else if (/^\d$/.test(event.key)) {
      event.preventDefault();
      edits.open(part, column, event.key);
    }
  };
  // Browsers send `paste` to the place of the text selection, which the focus on a cell does not move: the focused cell takes it.
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const [row, at] = document.activeElement?.getAttribute("data-cell")?.split("-").map(Number) ?? [];
    const column = at === undefined ? undefined : COLUMNS[at];
    if (!editable || row === undefined || !column || !table.current?.contains(document.activeElement)) return;
    event.preventDefault();
    const isChosen = chosen.has(parts[row]?.id ?? "");
    const rows = isChosen ? parts.filter(({ id }) => chosen.has(id)) : parts.slice(row);
    void edits.paste(event.clipboardData?.getData("text/plain") ?? "", rows, column);
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event);
    document.addEventListener("paste", listener);
    return () => document.removeEventListener("paste", listener);
  }, []);
  const kinds = KINDS.map(([name, is]) => [name, parts.filter(is)] as const).filter(
    ([, of]) => of.length > 0,
  );
  const all = chosen.size === parts.length;
  const selected = useMemo(() => parts.filter(({ id }) => chosen.has(id)), [parts, chosen]);
  return (
    <>
      <div className={classes.tools}>
        {editable && kinds.length > 0 && (
          <div className={classes.kinds}>
            <span id={kindsId}>{t("dates.table.select")}</span>
            {/* biome-ignore lint/a11y/useSemanticElements: buttons, not form fields */}
            <div role="group" aria-labelledby={kindsId}>
              {kinds.map(([name, of]) => (
                <Button
                  key={name}
                  size="compact"
                  variant="subtle"
                  onClick={() => setChosen(new Set(of.map(({ id }) => id)))}
                >
                  {t(`dates.table.kinds.${name}`)}
                </Button>
              ))}
            </div>
          </div>
        )}
        {mayExtend && (
          <Button
            variant="default"
            icon={<IconClock size={18} />}
            onClick={() => setExtending(parts[active.row]?.id ?? courseId)}
          >
            {t("overrides.extend")}
          </Button>
        )}
      </div>
      {extending && (
        <ExtendDialog courseId={courseId} partId={extending} onClose={() => setExtending(null)} />
      )}
      <div className={classes.scroller}>
        <table
          ref={table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are edited is a grid
          role="grid"
          className={classes.table}
          data-long={shown.isLong || undefined}
          aria-label={t("dates.table.label")}
          aria-rowcount={shown.isLong ? parts.length + 1 : undefined}
        >
          <thead>
            <tr>
              {editable && (
                <td className={classes.check}>
                  <input
                    type="checkbox"
                    aria-label={t("dates.table.all")}
                    checked={all}
                    onChange={() => setChosen(all ? new Set() : new Set(parts.map(({ id }) => id)))}
                  />
                </td>
              )}
              <th scope="col" className={classes.name}>
                {t("dates.table.part")}
              </th>
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {t(column === "late" ? "dates.table.late" : `dates.columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.rows.map(({ index: row, gap }) => {
              const part = parts[row];
              if (!part) return null;
              const title = partTitle(part, t);
              return (
                <Fragment key={part.id}>
                  <Gap height={gap} />
                  <tr
                    ref={shown.measure}
                    data-index={row}
                    aria-rowindex={shown.isLong ? row + 2 : undefined}
                    data-kind={part.kind}
                    aria-selected={editable ? chosen.has(part.id) : undefined}
                  >
                    {editable && (
                      <td className={classes.check}>
                        <input
                          type="checkbox"
                          tabIndex={-1}
                          aria-label={t("dates.table.choose", { title })}
                          checked={chosen.has(part.id)}
                          onChange={() => toggle(part.id)}
                        />
                      </td>
                    )}
                    <th scope="row" className={classes.name}>
                      {title}
                      {extensions.has(part.id) && (
                        <Link
                          to="/edit-course/$courseId"
                          params={{ courseId }}
                          search={{ tab: "students", view: "overrides", part: part.id }}
                          className={classes.extensions}
                          aria-label={`${t("overrides.inTable", { count: extensions.get(part.id) })}: ${title}`}
                        >
                          {t("overrides.inTable", { count: extensions.get(part.id) })}
                        </Link>
                      )}
                    </th>
                    {COLUMNS.map((column, at) => (
                      <DateCell
                        key={cellKey(part, column)}
                        part={part}
                        column={column}
                        zone={zone}
                        place={`${row}-${at}`}
                        isActive={active.row === row && active.column === at}
                        edits={edits}
                        editable={editable}
                        onFocus={() => setActive({ row, column: at })}
                        onKeyDown={(event) => onKeyDown(event, { row, column: at }, part, column)}
                        onDone={(down) => focus({ row: down ? row + 1 : row, column: at })}
                      />
                    ))}
                  </tr>
                </Fragment>
              );
            })}
            <Gap height={shown.rest} />
          </tbody>
        </table>
      </div>
      {chosen.size > 0 && (
        <ShiftBar
          courseId={courseId}
          parts={selected}
          overrides={overrides}
          mayExtend={mayExtend}
          zone={zone}
          dates={dates}
          onClose={() => {
            setChosen(new Set());
            // Closing the bar removes the button that has the focus.
            focus(active);
          }}
        />
      )}
    </>
  );
}

/** The place of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it stands for no row
  return height > 0 ? <tr role="presentation" style={{ height }} /> : null;
}
