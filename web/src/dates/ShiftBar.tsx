import { useApolloClient } from "@apollo/client/react";
import { type SubmitEvent, useMemo, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { SHIFT_DAYS_MAX, SHIFT_DAYS_MIN } from "../limits.generated";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { TextField } from "../ui/TextField";
import { toastFailure } from "../ui/toasts";
import { DateField } from "./DateField";
import { fieldOf, type Part } from "./parts";
import classes from "./ShiftBar.module.css";
import { applyAll, daysToStart, type Shift, seriesOf, shiftsOf, undoAll } from "./shifts";
import { toastSaved } from "./toastSaved";
import { parseTyped } from "./typed";

interface Props {
  /** The chosen parts. */
  parts: readonly Part[];
  zone: string;
  onClose: () => void;
}

/** Moves all dates of the chosen parts: by days, or so that the first of them is on a new day. */
export function ShiftBar({ parts, zone, onClose }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [days, setDays] = useState("7");
  const [start, setStart] = useState("");
  const [first, setFirst] = useState("");
  const [step, setStep] = useState("7");
  const [problem, setProblem] = useState<{ at: "days" | "start" | "first" | "step"; text: string } | null>(
    null,
  );
  const [isBusy, setBusy] = useState(false);

  const apply = async (shifts: Shift[], told: "dates.table.shifted" | "dates.table.pasted") => {
    setBusy(true);
    const { done, failed } = await applyAll(client, shifts);
    setBusy(false);
    if (failed[0]) toastFailure(failed[0].reason);
    if (done.length > 0) toastSaved(() => undoAll(client, done), t(told, { count: done.length }));
  };
  const shift = (by: number) => apply(shiftsOf(parts, by, zone), "dates.table.shifted");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    const by = Number(days.trim().replace("−", "-"));
    if (!Number.isInteger(by) || by === 0 || by < SHIFT_DAYS_MIN || by > SHIFT_DAYS_MAX)
      return setProblem({ at: "days", text: t("dates.table.daysProblem") });
    void shift(by);
  };
  const submitStart = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    const to = parseTyped(start, new Date());
    const by = to === null ? null : daysToStart(parts, to, zone);
    if (by === null) return setProblem({ at: "start", text: t("dates.field.unreadable") });
    if (by !== 0) void shift(by);
  };
  const submitSeries = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    const from = parseTyped(first, new Date());
    if (from === null) return setProblem({ at: "first", text: t("dates.field.unreadable") });
    const by = Number(step.trim());
    if (step.trim() === "" || !Number.isInteger(by) || by < 0 || by > 366)
      return setProblem({ at: "step", text: t("dates.table.stepProblem") });
    void apply(seriesOf(parts, from, by, zone), "dates.table.pasted");
  };
  const hasDates = useMemo(() => shiftsOf(parts, 1, zone).length > 0, [parts, zone]);
  const mayBeDue = parts.some((part) => fieldOf(part, "due") !== null);
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
      <IconButton className={classes.close} aria-label={t("dates.table.clear")} onClick={onClose}>
        <IconClose size={18} />
      </IconButton>
    </section>
  );
}
