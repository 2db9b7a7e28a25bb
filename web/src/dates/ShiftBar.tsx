import { type SubmitEvent, useMemo, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { SHIFT_DAYS_MAX, SHIFT_DAYS_MIN } from "../limits.generated";
import { type Override, partIdOf } from "../overrides/overrides";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { TextField } from "../ui/TextField";
import { toastFailure } from "../ui/toasts";
import { DateField } from "./DateField";
import { fieldOf, type Part } from "./parts";
import classes from "./ShiftBar.module.css";
import type { Edit } from "./setDates";
import { daysToStart, seriesOf, shiftsOf } from "./shifts";
import { parseTyped } from "./typed";
import type { SetDates } from "./useSetDates";

interface Props {
  courseId: string;
  /** The chosen parts. */
  parts: readonly Part[];
  /** Those of the course; undefined until they have arrived. */
  overrides: readonly Override[] | undefined;
  /** Whether the user may change overrides. */
  mayExtend: boolean;
  zone: string;
  dates: SetDates;
  onClose: () => void;
}

/** The maximum number of refusals that are listed. */
const MOST_LISTED = 10;

/** Moves all dates of the chosen parts: by days, or so that the first of them is on a new day. Their extensions move with them. */
export function ShiftBar({ courseId, parts, overrides, mayExtend, zone, dates, onClose }: Props) {
  const { t } = useTranslation();
  const [days, setDays] = useState("7");
  const [start, setStart] = useState("");
  const [first, setFirst] = useState("");
  const [step, setStep] = useState("7");
  const [problem, setProblem] = useState<{ at: "days" | "start" | "first" | "step"; text: string } | null>(
    null,
  );
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [withExtensions, setWithExtensions] = useState(true);
  /** The overrides of the chosen parts that have dates. */
  const extensions = useMemo(() => {
    const ids = new Set(parts.map(({ id }) => id));
    const ofParts = (overrides ?? []).filter((one) => ids.has(partIdOf(one, courseId)));
    return ofParts.filter((one) => shiftsOf([], [one]).length > 0);
  }, [parts, overrides, courseId]);

  const apply = async (edits: readonly Edit[], text: string, by?: number) => {
    setBusy(true);
    setRefused([]);
    try {
      await dates.apply(edits, text, by);
    } catch (error) {
      const why = dates.explain(error, edits);
      if (why.length > 0) setRefused(why);
      else toastFailure(error);
    }
    setBusy(false);
  };
  const shift = (by: number) => {
    const moving = shiftsOf(parts);
    const edits = [...moving, ...shiftsOf([], mayExtend && withExtensions ? extensions : [])];
    void apply(edits, t("dates.table.shifted", { count: moving.length }), by);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    const by = Number(days.trim().replace("−", "-"));
    if (!Number.isInteger(by) || by === 0 || by < SHIFT_DAYS_MIN || by > SHIFT_DAYS_MAX)
      return setProblem({ at: "days", text: t("dates.table.daysProblem") });
    shift(by);
  };
  const submitStart = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    const to = parseTyped(start, new Date());
    const by = to === null ? null : daysToStart(parts, to, zone);
    if (by === null) return setProblem({ at: "start", text: t("dates.field.unreadable") });
    if (by < SHIFT_DAYS_MIN || by > SHIFT_DAYS_MAX)
      return setProblem({ at: "start", text: t("dates.copy.far") });
    if (by !== 0) shift(by);
  };
  const submitSeries = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    const from = parseTyped(first, new Date());
    if (from === null) return setProblem({ at: "first", text: t("dates.field.unreadable") });
    const by = Number(step.trim());
    if (step.trim() === "" || !Number.isInteger(by) || by < 0 || by > 366)
      return setProblem({ at: "step", text: t("dates.table.stepProblem") });
    const edits = seriesOf(parts, from, by, zone);
    void apply(edits, t("dates.table.pasted", { count: edits.length }));
  };
  const hasDates = useMemo(() => shiftsOf(parts).length > 0, [parts]);
  const mayBeDue = parts.some((part) => fieldOf(part, "due") !== null);
  const count = extensions.length;
  return (
    <section className={classes.bar} aria-label={t("dates.table.chosen")}>
      <p className={classes.count}>{t("dates.table.count", { count: parts.length })}</p>
      {hasDates && (
        <>
          <form className={classes.form} onSubmit={submit} noValidate>
            <TextField
              label={t("dates.table.days")}
              inputMode="text"
              autoComplete="off"
              className={classes.days}
              value={days}
              onChange={(event) => setDays(event.target.value)}
              error={problem?.at === "days" && problem.text}
            />
            <Button type="submit" loading={isBusy}>
              {t("dates.table.shift")}
            </Button>
          </form>
          <form className={classes.form} onSubmit={submitStart} noValidate>
            <DateField
              label={t("dates.table.start")}
              text={start}
              value={start}
              onChange={(event) => setStart(event.target.value)}
              onPick={setStart}
              error={problem?.at === "start" && problem.text}
            />
            <Button type="submit" variant="default" loading={isBusy}>
              {t("dates.table.move")}
            </Button>
          </form>
        </>
      )}
      {mayBeDue && (
        <form className={classes.form} onSubmit={submitSeries} noValidate>
          <DateField
            label={t("dates.table.first")}
            text={first}
            value={first}
            onChange={(event) => setFirst(event.target.value)}
            onPick={setFirst}
            error={problem?.at === "first" && problem.text}
          />
          <TextField
            label={t("dates.table.step")}
            inputMode="numeric"
            autoComplete="off"
            className={classes.days}
            value={step}
            onChange={(event) => setStep(event.target.value)}
            error={problem?.at === "step" && problem.text}
          />
          <Button type="submit" variant="default" loading={isBusy}>
            {t("dates.table.spread")}
          </Button>
        </form>
      )}
      {hasDates && overrides === undefined && (
        <p className={classes.note}>{t("dates.table.extensionsUnknown")}</p>
      )}
      {hasDates && count > 0 && mayExtend && (
        <div className={classes.note}>
          <Checkbox
            label={t("dates.table.withExtensions", { count })}
            checked={withExtensions}
            onChange={(event) => setWithExtensions(event.target.checked)}
          />
        </div>
      )}
      {hasDates && count > 0 && !mayExtend && (
        <p className={classes.note}>{t("dates.table.extensionsStay", { count })}</p>
      )}
      {refused.length > 0 && (
        <div className={classes.refused} role="alert">
          <p>{t("dates.table.nothingChanged")}</p>
          <ul>
            {refused.slice(0, MOST_LISTED).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {refused.length > MOST_LISTED && (
            <p>{t("dates.table.refusedMore", { count: refused.length - MOST_LISTED })}</p>
          )}
        </div>
      )}
      <IconButton className={classes.close} aria-label={t("dates.table.clear")} onClick={onClose}>
        <IconClose size={18} />
      </IconButton>
    </section>
  );
}
