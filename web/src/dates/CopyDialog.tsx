import { useMutation, useQuery } from "@apollo/client/react";
import { type SubmitEvent, useId, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { SHIFT_DAYS_MAX, SHIFT_DAYS_MIN } from "../limits.generated";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { CopyWithNewStartDocument } from "./CopyDialog.generated";
import { CourseDatesDocument, type CourseDatesQuery } from "./CourseDates.generated";
import { DateField } from "./DateField";
import classes from "./DatesDialog.module.css";
import { partsOf } from "./parts";
import { daysToStart } from "./shifts";
import { type Local, parseTyped, zoneOf } from "./typed";

interface Props {
  course: { id: string; title: string };
  onClose: () => void;
  /** Called when the copy exists. */
  onCopied: () => void;
}

/** Copies a course so that its first date is on a new day. */
export function CopyDialog({ course, onClose, onCopied }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(CourseDatesDocument, {
    variables: { id: course.id },
    fetchPolicy: "network-only",
  });
  if (data) return <Loaded course={data.course} onClose={onClose} onCopied={onCopied} />;
  return (
    <Dialog open onClose={onClose} title={t("dates.copy.title", { course: course.title })}>
      <QueryState error={error} retry={() => void refetch()} loading={<TextSkeleton lines={3} />} />
    </Dialog>
  );
}

function Loaded({
  course,
  onClose,
  onCopied,
}: Omit<Props, "course"> & { course: CourseDatesQuery["course"] }) {
  const { t } = useTranslation();
  const formId = useId();
  const [start, setStart] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [copy, { loading }] = useMutation(CopyWithNewStartDocument, { onError: toastFailure });
  const days = (to: Local) => daysToStart(partsOf(course), to, zoneOf(course.timeZone));
  const hasDates = days("2026-01-01") !== null;
  const typed = parseTyped(start, new Date());
  const by = typed === null ? null : days(typed);
  const isFar = by !== null && (by < SHIFT_DAYS_MIN || by > SHIFT_DAYS_MAX);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    // React bubbles `submit` to a form around the dialog's component, which must not submit too.
    event.stopPropagation();
    if (loading) return;
    if (hasDates && by === null) return setProblem(t("dates.field.unreadable"));
    if (isFar) return setProblem(t("dates.copy.far"));
    const { data } = await copy({ variables: { input: { courseId: course.id, shiftDays: by ?? 0 } } });
    if (!data) return;
    toastSuccess(t("home.duplicated", { course: data.duplicateCourse.course.title }));
    onCopied();
    onClose();
  };

  return (
    <Dialog
      open
      onClose={() => !loading && onClose()}
      title={t("dates.copy.title", { course: course.title })}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={loading}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId} loading={loading}>
            {t("dates.copy.make")}
          </Button>
        </>
      }
    >
      <form id={formId} className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        {hasDates ? (
          <>
            <DateField
              label={t("dates.copy.start")}
              text={start}
              value={start}
              onChange={(event) => {
                setProblem(null);
                setStart(event.target.value);
              }}
              onPick={(text) => {
                setProblem(null);
                setStart(text);
              }}
              error={problem}
              data-autofocus
            />
            <p className={classes.zone} role="status">
              {by === null || isFar ? t("dates.copy.text") : told(by, t)}
            </p>
          </>
        ) : (
          <p className={classes.zone}>{t("dates.copy.none")}</p>
        )}
      </form>
    </Dialog>
  );
}

/** Says by how many days everything moves. */
function told(days: number, t: ReturnType<typeof useTranslation>["t"]): string {
  if (days === 0) return t("dates.copy.same");
  return t(days > 0 ? "dates.copy.later" : "dates.copy.earlier", { count: Math.abs(days) });
}
