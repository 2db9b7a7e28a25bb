import { useApolloClient, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { takesAttempts } from "../course/takesAttempts";
import { QueryState } from "../errors/QueryState";
import { useGuardedForm } from "../forms/useGuardedForm";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { LATE_PENALTY_MAX_MAX } from "../limits.generated";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { TextField } from "../ui/TextField";
import { CourseDatesDocument } from "./CourseDates.generated";
import { DateField, dateProblem } from "./DateField";
import { DatesAboveDocument, type DatesAboveQuery } from "./DatesAbove.generated";
import classes from "./DatesDialog.module.css";
import { inherited } from "./inherited";
import { COLUMNS, changePart, fieldOf, type Part, partsOf, typedChanges, valuesBefore } from "./parts";
import { toastSaved } from "./toastSaved";
import { typedOf, zoneOf } from "./typed";
import { useFollow, useRead } from "./useRead";
import { zoneText } from "./zoneText";

interface Props {
  courseId: string;
  /** The module, lesson or page. */
  id: string;
  title: string;
  onClose: () => void;
}

/** The own dates of a module, a lesson or a page, and the late policy of a quiz. */
export default function DatesDialog({ courseId, id, title, onClose }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(CourseDatesDocument, {
    variables: { id: courseId },
    fetchPolicy: "cache-and-network",
  });
  // Not from the cache, where the dates of the parts may be newer than what was resolved from them.
  const above = useQuery(DatesAboveDocument, { variables: { id: courseId }, fetchPolicy: "no-cache" });
  const part = data && partsOf(data.course).find((one) => one.id === id);
  return (
    <Dialog open onClose={onClose} title={t("dates.dialog.title", { title })}>
      {part && data ? (
        <DatesForm
          part={part}
          above={above.data?.course}
          zone={zoneOf(data.course.timeZone)}
          onClose={onClose}
        />
      ) : (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="h2"
          loading={<TextSkeleton lines={6} />}
        />
      )}
    </Dialog>
  );
}

const NAMES = ["availableFrom", "dueAt", "availableUntil", "lateUntil"] as const;
type Name = (typeof NAMES)[number];
type Values = Record<Name | "latePenaltyPerDay" | "latePenaltyMax", string>;

function valuesOf({ item }: Part, zone: string, language: string): Values {
  const own = item as unknown as Record<string, string | number | null | undefined>;
  const date = (name: Name) => typedOf((own[name] ?? null) as string | null, zone, language);
  return {
    availableFrom: date("availableFrom"),
    dueAt: date("dueAt"),
    availableUntil: date("availableUntil"),
    lateUntil: date("lateUntil"),
    latePenaltyPerDay: String(own.latePenaltyPerDay ?? ""),
    latePenaltyMax: String(own.latePenaltyMax ?? ""),
  };
}

interface FormProps {
  part: Part;
  /** The course with what is resolved for its parts; undefined until it has arrived. */
  above: DatesAboveQuery["course"] | undefined;
  zone: string;
  onClose: () => void;
}

function DatesForm({ part, above: course, zone, onClose }: FormProps) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const [now] = useState(() => new Date());
  const values = valuesOf(part, zone, i18n.language);
  const based = useRead(part.item);
  const form = useGuardedForm({
    name: "part-dates",
    subject: part.id,
    values,
    save: async (typed) => {
      const dates = typedChanges(NAMES, typed, values, now, zone);
      const changes = { ...dates, ...penaltyChanges(typed, values) };
      const before = valuesBefore(part.item, changes);
      const stored = await based.send((read) => changePart(client, part, changes, read, zone));
      return () => changePart(client, part, before, stored);
    },
    onSaved: (undo) => toastSaved(undo),
    refusalAt: "dueAt",
    close: onClose,
  });
  useFollow(based, part.item, form.isDirty);
  const hasAttempts = part.kind === "page" && takesAttempts(part.item.kind);
  const isNotTakenLate = (["lateUntil", "latePenaltyPerDay", "latePenaltyMax"] as const).every(
    (name) => form.watch(name).trim() === "",
  );
  const columns = COLUMNS.filter((column) => fieldOf(part, column) !== null);
  return (
    <form className={classes.form} {...form.props}>
      <p className={classes.zone}>{zoneText("dates.dialog.zone", zone, now, t)}</p>
      {columns.map((column) => {
        const name = fieldOf(part, column) as Name;
        const above = course ? inherited(course, part, column) : null;
        return (
          <DateField
            key={name}
            label={t(`dates.columns.${column}`)}
            description={
              above === null
                ? undefined
                : t(`dates.dialog.above.${column === "late" ? "closes" : column}`, {
                    ...momentOf(above, now, i18n.language, zone),
                  })
            }
            descriptionBelow
            text={form.watch(name)}
            onPick={(text) => form.setValue(name, text, { shouldDirty: true, shouldValidate: true })}
            {...form.field(name, dateProblem)}
          />
        );
      })}
      {hasAttempts && (
        <fieldset className={classes.late}>
          <legend>{t("dates.dialog.late")}</legend>
          <TextField
            label={t("dates.dialog.perDay")}
            inputMode="numeric"
            {...form.field("latePenaltyPerDay", percentProblem)}
          />
          <TextField
            label={t("dates.dialog.max")}
            inputMode="numeric"
            {...form.field("latePenaltyMax", percentProblem)}
          />
          {isNotTakenLate && <p className={classes.hint}>{t("dates.dialog.lateHint")}</p>}
        </fieldset>
      )}
      <Button type="submit" className={classes.save} loading={form.isBusy} disabled={!form.isDirty}>
        {t("dates.dialog.save")}
      </Button>
    </form>
  );
}

function percentProblem(text: string) {
  const percent = text.trim();
  const isValid = percent === "" || (/^\d{1,3}$/.test(percent) && Number(percent) <= LATE_PENALTY_MAX_MAX);
  return isValid ? null : "dates.field.percent";
}

function penaltyChanges(typed: Values, before: Values) {
  const names = (["latePenaltyPerDay", "latePenaltyMax"] as const).filter(
    (name) => typed[name].trim() !== before[name],
  );
  const value = (text: string) => (text.trim() === "" ? null : Number(text));
  return Object.fromEntries(names.map((name) => [name, value(typed[name])]));
}
