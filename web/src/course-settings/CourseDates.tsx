import { useApolloClient, useQuery } from "@apollo/client/react";
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import { CourseDatesDocument, type CourseDatesQuery } from "../dates/CourseDates.generated";
import { DateField, dateProblem } from "../dates/DateField";
import { changePart, typedChanges, valuesBefore } from "../dates/parts";
import { toastSaved } from "../dates/toastSaved";
import { typedOf, zoneOf } from "../dates/typed";
import { useFollow, useRead } from "../dates/useRead";
import { QueryState } from "../errors/QueryState";
import { useGuardedForm } from "../forms/useGuardedForm";
import { isKnownZone, momentOf, offsetOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { Section } from "../ui/Section";
import { TextSkeleton } from "../ui/Skeletons";
import { TextField } from "../ui/TextField";
import classes from "./CourseSettings.module.css";

/** The section of a course's dates: its time zone, start and end, the end of enrolment, and titles of locked parts. */
export function CourseDates({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(CourseDatesDocument, {
    variables: { id: courseId },
    fetchPolicy: "cache-and-network",
  });
  return (
    <Section title={t("dates.settings.heading")} text={t("dates.settings.text")}>
      {data ? (
        <DatesForm course={data.course} />
      ) : (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="p"
          loading={<TextSkeleton lines={6} />}
        />
      )}
    </Section>
  );
}

const NAMES = ["startsAt", "endsAt", "enrollUntil"] as const;
const ZONES: ReadonlySet<string> = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);

function DatesForm({ course }: { course: CourseDatesQuery["course"] }) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const listId = useId();
  const [now] = useState(() => new Date());
  const zone = zoneOf(course.timeZone);
  const date = (iso: string | null) => typedOf(iso, zone, i18n.language);
  const values = {
    timeZone: course.timeZone ?? "",
    startsAt: date(course.startsAt),
    endsAt: date(course.endsAt),
    enrollUntil: date(course.enrollUntil),
    hideLockedTitles: course.hideLockedTitles,
    sequential: course.sequential,
  };
  const isSaved = useRef(false);
  const based = useRead(course);
  const form = useGuardedForm({
    name: "course-dates",
    subject: course.id,
    values,
    save: async (typed) => {
      const changes = {
        ...(typed.timeZone.trim() !== values.timeZone && { timeZone: typed.timeZone.trim() || null }),
        ...typedChanges(NAMES, typed, values, now, typed.timeZone.trim() || "UTC"),
        ...(typed.hideLockedTitles !== values.hideLockedTitles && {
          hideLockedTitles: typed.hideLockedTitles,
        }),
        ...(typed.sequential !== values.sequential && { sequential: typed.sequential }),
      };
      const before = valuesBefore(course, changes);
      const part = { kind: "course", id: course.id } as const;
      const stored = await based.send((read) => changePart(client, part, changes, read));
      isSaved.current = true;
      return () => changePart(client, part, before, stored);
    },
    onSaved: (undo) => toastSaved(undo),
    refusalAt: "timeZone",
  });
  // After saving, the fields show the dates as the server has them: a day without a time has got one.
  const { isDirty, reset } = form;
  useFollow(based, course, isDirty);
  const shown = JSON.stringify(values);
  const showStored = useEffectEvent(() => reset(values));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the saved values come before or after the form is clean
  useEffect(() => {
    if (isDirty || !isSaved.current) return;
    isSaved.current = false;
    showStored();
  }, [isDirty, shown]);
  const typedZone = form.watch("timeZone").trim();
  const typedText = () => {
    if (typedZone === "" || ZONES.has(typedZone) || (typedZone === course.timeZone && isKnownZone(typedZone)))
      return t("dates.settings.zoneNow", {
        offset: offsetOf(moment, typedZone || "UTC"),
        time: momentOf(moment, now, i18n.language, typedZone || "UTC").time,
      });
    return typedZone === course.timeZone
      ? t("dates.unknownZone", { zone: typedZone })
      : t("dates.settings.zoneHint");
  };
  const here = useMemo(() => Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  const moment = now.toISOString();
  return (
    <form className={classes.form} {...form.props}>
      <TextField
        label={t("dates.settings.zone")}
        description={typedText()}
        descriptionBelow
        list={listId}
        autoComplete="off"
        spellCheck={false}
        placeholder="UTC"
        {...form.field("timeZone")}
      />
      <datalist id={listId}>
        {[...ZONES].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {typedZone === "" && here !== "UTC" && (
        <Button
          variant="default"
          className={classes.start}
          onClick={() => {
            form.setValue("timeZone", here, { shouldDirty: true });
            // The pressed button disappears, so the focus moves to the field of the time zone.
            form.setFocus("timeZone");
          }}
        >
          {t("dates.settings.zoneHere", { zone: here })}
        </Button>
      )}
      {NAMES.map((name) => (
        <DateField
          key={name}
          label={t(`dates.settings.${name}`)}
          description={t(`dates.settings.hints.${name}`)}
          descriptionBelow
          text={form.watch(name)}
          onPick={(text) => form.setValue(name, text, { shouldDirty: true, shouldValidate: true })}
          {...form.field(name, dateProblem)}
        />
      ))}
      <Checkbox
        label={t("dates.settings.sequential")}
        hint={t("dates.settings.sequentialHint")}
        {...form.field("sequential")}
      />
      <Checkbox
        label={t("dates.settings.hide")}
        hint={t("dates.settings.hideHint")}
        {...form.register("hideLockedTitles")}
      />
      <Button type="submit" className={classes.start} loading={form.isBusy} disabled={!form.isDirty}>
        {t("dates.settings.save")}
      </Button>
    </form>
  );
}
