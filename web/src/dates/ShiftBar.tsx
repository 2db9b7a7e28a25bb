import { useApolloClient } from "@apollo/client/react";
import { type SubmitEvent, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { TextField } from "../ui/TextField";
import { toastFailure } from "../ui/toasts";
import { DateField } from "./DateField";
import type { Part } from "./parts";
import classes from "./ShiftBar.module.css";
import { applyAll, daysToStart, shiftsOf } from "./shifts";
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
  const [problem, setProblem] = useState<{ at: "days" | "start"; text: string } | null>(null);
  const [isBusy, setBusy] = useState(false);

  const shift = async (by: number) => {
    const shifts = shiftsOf(parts, by, zone);
    setBusy(true);
    const { done, failure } = await applyAll(client, shifts);
    setBusy(false);
    if (failure !== null) toastFailure(failure);
    if (done.length === 0) return;
    const undo = async () => {
      const undone = await applyAll(
        client,
        done.map(({ part, before }) => ({ part, changes: before, before: {} })),
      );
      if (undone.failure !== null) throw undone.failure;
    };
    toastSaved(undo, t("dates.table.shifted", { count: done.length }));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    const by = Number(days.trim().replace("−", "-"));
    if (!Number.isInteger(by) || by === 0 || Math.abs(by) > 3660)
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
  const hasDates = shiftsOf(parts, 1, zone).length > 0;
  return (
    <section className={classes.bar} aria-label={t("dates.table.chosen")}>
      <p className={classes.count}>{t("dates.table.count", { count: parts.length })}</p>
      {hasDates ? (
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
      ) : (
        <p className={classes.none}>{t("dates.table.nothing")}</p>
      )}
      <IconButton className={classes.close} aria-label={t("dates.table.clear")} onClick={onClose}>
        <IconClose size={18} />
      </IconButton>
    </section>
  );
}
