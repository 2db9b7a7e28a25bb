import { useQuery } from "@apollo/client/react";
import { useRouter } from "@tanstack/react-router";
import { type SubmitEvent, useId, useState } from "react";
import { CourseDatesDocument } from "../dates/CourseDates.generated";
import { DateField } from "../dates/DateField";
import { partsOf } from "../dates/parts";
import { partTitle } from "../dates/partTitle";
import { instantOf, parseTyped, shifted, shownLocal, typedOf, zoneOf } from "../dates/typed";
import { zoneText } from "../dates/zoneText";
import { LoadFailure } from "../errors/LoadFailure";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import type { Target } from "../overrides/overrides";
import { TargetPicker } from "../overrides/TargetPicker";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { RadioGroup } from "../ui/RadioGroup";
import { Select } from "../ui/Select";
import { addressOf, isInRange } from "./address";
import { nextDates } from "./courseDates";
import classes from "./PreviewDialog.module.css";

interface Props {
  courseId: string;
  /** Whom the preview shows at first; null is a new learner. */
  target?: Target | null;
  /** When it shows the course at first; null is the present. */
  at?: Date | null;
  /** What follows the beginning of the address: the page that stays open. */
  rest?: string;
  /** Whether it shows unpublished changes. */
  drafts?: boolean | undefined;
  onClose: () => void;
}

/** By how many days one press moves the moment. */
const STEPS = [-7, -1, 1, 7] as const;
/** How many dates of the course the dialog offers. */
const DATES = 12;

/** The dialog that asks whom and which moment a preview shows. */
export default function PreviewDialog({
  courseId,
  target = null,
  at = null,
  rest = "",
  drafts = false,
  onClose,
}: Props) {
  const { t, i18n } = useTranslation();
  const router = useRouter();
  const formId = useId();
  const { data, error, refetch } = useQuery(CourseDatesDocument, { variables: { id: courseId } });
  const [now] = useState(() => new Date());
  const [whom, setWhom] = useState(target);
  const [isNow, setNow] = useState(at === null);
  const zone = zoneOf(data?.course.timeZone ?? null);
  // Null until something is typed: the field then shows `at`, in the zone of the course.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (data ? typedOf((at ?? now).toISOString(), zone, i18n.language) : "");
  const [problem, setProblem] = useState(false);
  const local = parseTyped(text, now);

  const choose = (moment: string) => {
    setProblem(false);
    setTyped(moment);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const chosen = isNow || local === null ? null : instantOf(local, zone);
    if (!isNow && !(chosen && isInRange(chosen))) {
      setProblem(true);
      document.getElementById(`${formId}-moment`)?.focus();
      return;
    }
    onClose();
    const who = whom ? { kind: whom.kind, id: whom.id } : { kind: "new" as const };
    void router.navigate({ href: addressOf({ courseId, who, at: chosen, drafts }) + rest });
  };
  const dates = data ? nextDates(partsOf(data.course), now, DATES) : [];
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("students.preview.title")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId} disabled={!data && !isNow}>
            {t("students.preview.open")}
          </Button>
        </>
      }
    >
      <form id={formId} className={classes.form} onSubmit={submit} noValidate>
        <TargetPicker
          courseId={courseId}
          target={whom}
          onChoose={setWhom}
          label={t("students.preview.whom")}
          newcomer={{ label: t("students.preview.newcomer"), onChoose: () => setWhom(null) }}
        />
        <RadioGroup
          label={t("students.preview.when")}
          value={isNow ? "now" : "moment"}
          options={[
            { value: "now", label: t("students.preview.atNow") },
            { value: "moment", label: t("students.preview.atMoment") },
          ]}
          onChange={(value) => setNow(value === "now")}
        />
        {!isNow && error && !data && (
          <LoadFailure error={error} retry={() => void refetch().catch(() => undefined)} heading="p" />
        )}
        {!isNow && data && (
          <div className={classes.moment}>
            <DateField
              id={`${formId}-moment`}
              label={t("students.preview.moment")}
              description={zoneText("dates.table.zone", zone, now, t)}
              text={text}
              value={text}
              onChange={(event) => choose(event.currentTarget.value)}
              onPick={choose}
              error={problem && t("dates.field.unreadable")}
            />
            <fieldset className={classes.steps} aria-label={t("students.preview.steps")}>
              {STEPS.map((days) => (
                <Button
                  key={days}
                  variant="default"
                  size="compact"
                  disabled={!local}
                  aria-label={t("students.preview.step", { days: signed(days) })}
                  onClick={() => local && choose(shownLocal(shifted(local, days), i18n.language))}
                >
                  {t("students.preview.days", { days: signed(days) })}
                </Button>
              ))}
            </fieldset>
            {dates.length > 0 && (
              <Select
                label={t("students.preview.dates")}
                value={String(
                  dates.findIndex((one) => typedOf(one.at.toISOString(), zone, i18n.language) === text),
                )}
                onChange={(event) => {
                  const chosen = dates[Number(event.currentTarget.value)];
                  if (chosen) choose(typedOf(chosen.at.toISOString(), zone, i18n.language));
                }}
                options={[
                  { value: "-1", label: t("students.preview.chooseDate") },
                  ...dates.map(({ part, column, at }, index) => ({
                    value: String(index),
                    label: t(`students.preview.date.${column}`, {
                      ...momentOf(at.toISOString(), now, i18n.language, zone),
                      title: partTitle(part, t),
                    }),
                  })),
                ]}
              />
            )}
          </div>
        )}
        <p className={classes.note}>{t("students.preview.progress")}</p>
      </form>
    </Dialog>
  );
}

/** «+7», «−7». */
const signed = (days: number) => (days < 0 ? `−${-days}` : `+${days}`);
