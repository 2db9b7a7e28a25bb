import { useMutation, useQuery } from "@apollo/client/react";
import { type ReactNode, useState } from "react";
import type { GradeDecisionKind } from "../api/schema.generated";
import { QueryState } from "../errors/QueryState";
import { FormDialog } from "../forms/FormDialog";
import { countCharacters, isBlank } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { REASON_MAX } from "../limits.generated";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { RadioGroup } from "../ui/RadioGroup";
import { TextSkeleton } from "../ui/Skeletons";
import { TextArea } from "../ui/TextArea";
import { TextField } from "../ui/TextField";
import { DecideGradeDocument, GradeDocument } from "./Gradebook.generated";
import classes from "./GradePanel.module.css";
import { type Cell, type Detail, type Item, parsePoints, type Row, shownDecimal, totalCell } from "./grades";

interface Props {
  row: Row;
  /** The grade as the table shows it. */
  cell: Cell;
  /** Null: the grade of the course. */
  item: Item | null;
  /** The name of the item, which no other one has. */
  name: string;
  /** The reason of the table's cells, which is offered here. What is written here stays with this learner. */
  reason: string;
  editable: boolean;
  /** Receives the row after a decision. */
  onStored: (row: Row) => void;
  onClose: () => void;
}

/** A grade: where it comes from, what was decided of it, and a new decision. */
export function GradePanel({ row, cell, item, name, reason, editable, onStored, onClose }: Props) {
  const { t } = useTranslation();
  const pageId = item?.pageId ?? null;
  const { data, error, refetch } = useQuery(GradeDocument, {
    variables: { enrollmentId: row.enrollmentId, pageId },
    fetchPolicy: "no-cache",
  });
  const title = t("students.grades.panel.title", {
    name: row.user.fullName || row.user.email,
    item: item ? name : t("students.grades.total"),
  });
  const about = (newer: Detail | null) => {
    const detail = newer ?? data?.grade;
    if (detail) return <About detail={detail} item={item} />;
    return (
      <QueryState
        error={error}
        retry={() => void refetch()}
        heading="p"
        loading={<TextSkeleton lines={3} />}
      />
    );
  };
  if (editable)
    return (
      <Decide
        title={title}
        row={row}
        cell={cell}
        item={item}
        reason={reason}
        about={about}
        onStored={onStored}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t("students.grades.panel.close")}
        </Button>
      }
    >
      {about(null)}
    </Dialog>
  );
}

interface DecideProps extends Omit<Props, "editable" | "name"> {
  title: string;
  /** Shows where the grade comes from; `newer` is what a conflict has returned. */
  about: (newer: Detail | null) => ReactNode;
}

function Decide({ title, row, cell: given, item, reason: last, about, onStored, onClose }: DecideProps) {
  const { t, i18n } = useTranslation();
  const pageId = item?.pageId ?? null;
  const [decide] = useMutation(DecideGradeDocument);
  // The decision is made on what the teacher saw: the cell of the table, or after a conflict what is stored.
  const [seen] = useState(given);
  const [newer, setNewer] = useState<Detail | null>(null);
  const cell = newer ? detailCell(newer) : seen;
  const [wanted, setKind] = useState<GradeDecisionKind>("OVERRIDE");
  const isDecided = cell.source === "override" || cell.source === "excused";
  const kinds: GradeDecisionKind[] = [
    "OVERRIDE",
    ...(item ? (["EXCUSED"] as const) : []),
    ...(isDecided ? (["REMOVED"] as const) : []),
  ];
  // After a conflict there may be no decision left to withdraw.
  const kind = kinds.includes(wanted) ? wanted : "OVERRIDE";
  const form = useGuardedForm({
    name: "grade",
    subject: `${row.enrollmentId} ${pageId ?? ""}`,
    defaultValues: { points: "", reason: last },
    save: async ({ points, reason }) => {
      const { data } = await decide({
        variables: {
          input: {
            enrollmentId: row.enrollmentId,
            pageId,
            version: cell.version ?? 0,
            kind,
            points: kind === "OVERRIDE" ? parsePoints(points) : null,
            reason: reason.trim() || null,
          },
        },
      });
      return data?.decideGrade;
    },
    onSaved: (result, values) => {
      if (result?.conflict) {
        setNewer(result.conflict.grade);
        onStored(result.conflict.grade.row);
        // Nothing was stored: what was typed stays a change.
        form.reset({ points: "", reason: last });
        form.setValue("points", values.points, { shouldDirty: true });
        form.setValue("reason", values.reason, { shouldDirty: true });
        return;
      }
      if (result?.grade) onStored(result.grade.row);
      onClose();
    },
    // A decision that is stored closes the panel: nothing can be typed meanwhile.
    isOnce: true,
    refusalAt: "reason",
  });
  const choose = (next: GradeDecisionKind) => {
    setKind(next);
    // Nobody typed the reason that is offered: it need not be that of a withdrawal.
    if (!form.formState.dirtyFields.reason)
      form.resetField("reason", { defaultValue: next === "REMOVED" ? "" : last });
  };
  const nameOf = (one: GradeDecisionKind) =>
    t(`students.grades.panel.kinds.${one === "OVERRIDE" && !item ? "OVERRIDE_TOTAL" : one}`);
  return (
    <FormDialog
      title={title}
      form={form}
      submit={t("students.grades.panel.save")}
      onClose={onClose}
      className={classes.form}
    >
      {newer && (
        <p className={classes.conflict} role="alert">
          {t("students.grades.panel.conflict")}
        </p>
      )}
      {kinds.length > 1 && (
        <RadioGroup
          label={t("students.grades.panel.decide")}
          value={kind}
          options={kinds.map((value) => ({ value, label: nameOf(value) }))}
          onChange={choose}
        />
      )}
      {kind === "OVERRIDE" && (
        <TextField
          label={
            item
              ? t("students.grades.panel.points", { most: shownDecimal(item.points, i18n.language) })
              : t("students.grades.panel.percent")
          }
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          {...form.field("points", pointsProblem)}
        />
      )}
      <TextArea
        label={t("students.grades.panel.reason")}
        description={kind === "REMOVED" ? undefined : t("students.grades.panel.reasonHint")}
        rows={2}
        {...form.field("reason", kind === "REMOVED" ? optionalReasonProblem : reasonProblem)}
      />
      {about(newer)}
    </FormDialog>
  );
}

const pointsProblem = (points: string) =>
  parsePoints(points) === null ? "students.grades.pointsRequired" : null;

const optionalReasonProblem = (reason: string) =>
  countCharacters(reason.trim()) > REASON_MAX ? "students.grades.reasonTooLong" : null;

const reasonProblem = (reason: string) =>
  isBlank(reason) ? "students.grades.reasonRequired" : optionalReasonProblem(reason);

function detailCell(detail: Detail): Cell {
  return detail.pageId === null ? totalCell(detail.row) : (detail.cell as Cell);
}

/** Where a grade comes from, and its history. */
function About({ detail, item }: { detail: Detail; item: Item | null }) {
  const { t, i18n } = useTranslation();
  const cell = detailCell(detail);
  const number = (decimal: string) => shownDecimal(decimal, i18n.language);
  // Absent where it is what counts.
  const automatic = cell.automatic ?? (cell.source === "automatic" ? cell.percent : undefined);
  const penalty = detail.penaltyPercent
    ? ` ${t("students.grades.panel.penalty", { percent: detail.penaltyPercent })}`
    : "";
  const counts =
    cell.points === undefined
      ? t(
          `students.grades.signs.${cell.source === "automatic" || cell.source === "override" ? "none" : cell.source}`,
        )
      : `${number(cell.points)} ${item ? t("students.grades.pointsShort") : "%"}`;
  return (
    <div className={classes.about}>
      <dl className={classes.facts}>
        <dt>{t("students.grades.panel.now")}</dt>
        <dd>
          {counts}
          {cell.dropped && `, ${t("students.grades.signs.dropped")}`}
        </dd>
        <dt>{t(item ? "students.grades.panel.automatic" : "students.grades.panel.automaticTotal")}</dt>
        <dd>
          {automatic === undefined ? t("students.grades.panel.none") : `${number(automatic)} %${penalty}`}
        </dd>
      </dl>
      {detail.history.length > 0 && (
        <>
          <h3 className={classes.heading}>{t("students.grades.panel.history")}</h3>
          <ol className={classes.history}>
            {detail.history.map(({ version, kind, points, reason, by, at }) => (
              <li key={version}>
                <span className={classes.decision}>
                  {kind === "OVERRIDE"
                    ? t("students.grades.panel.given", {
                        points: `${number(points ?? "")} ${item ? t("students.grades.pointsShort") : "%"}`,
                      })
                    : t(
                        kind === "EXCUSED"
                          ? "students.grades.panel.excused"
                          : "students.grades.panel.removed",
                      )}
                </span>
                {reason && <span className={classes.reason}>{reason}</span>}
                <span className={classes.who}>
                  {by
                    ? by.fullName || t("students.grades.panel.noName")
                    : t("students.grades.panel.somebody")}
                  {", "}
                  <time dateTime={at}>{formatDateTime(at, new Date(), i18n.language, t)}</time>
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
