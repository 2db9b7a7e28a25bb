import { useQuery } from "@apollo/client/react";
import { DateField, dateProblem } from "../dates/DateField";
import type { Part } from "../dates/parts";
import { parseTyped, shifted, shownLocal, typedOf } from "../dates/typed";
import type { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Select } from "../ui/Select";
import { TextField } from "../ui/TextField";
import { QuizLimitDocument } from "./Overrides.generated";
import classes from "./Overrides.module.css";
import {
  type DateLimit,
  isDate,
  type Limit,
  MODES,
  type Mode,
  modeOf,
  numberProblem,
  type Override,
  type Target,
  type Values,
} from "./overrides";
import type { Times } from "./useTimes";

interface Props {
  limit: Limit;
  part: Part;
  /** The group of the student; null for a group and for a student without one. */
  group: Target | null;
  zone: string;
  form: ReturnType<typeof useGuardedForm<Values>>;
  /** Whether the limit has the date that the form suggests, which is not saved. */
  isSuggested: (limit: Limit) => boolean;
  /** The override of the student's group for the part. */
  ofGroup: Override | undefined;
  /** The effective dates with the typed values. */
  times: Times;
}

/** Days that are added with one press. */
const LATER = [1, 3, 7] as const;

/** A limit of an override: whether it is inherited, lifted or has its own value, and what follows from that. */
export function LimitField({ limit, part, group, form, isSuggested, ofGroup, ...rest }: Props) {
  const { t, i18n } = useTranslation();
  const mode = form.watch(`${limit}Mode`);
  const isOwn = mode === "own";
  const text = form.watch(limit);
  const set = (value: string) => form.setValue(limit, value, { shouldDirty: true, shouldValidate: true });
  const field = form.field(limit, (text) => {
    if (form.getValues(`${limit}Mode`) !== "own" || isSuggested(limit)) return null;
    if (!isDate(limit)) return numberProblem(limit, text);
    return text.trim() === "" ? "overrides.problem.required" : dateProblem(text);
  });
  const typed = isDate(limit) ? parseTyped(text, new Date()) : null;
  return (
    <div className={classes.limit}>
      <div className={classes.pair}>
        <Select
          label={t(`overrides.limits.${limit}.label`)}
          options={MODES.map((mode) => ({
            value: mode,
            label:
              mode === "inherit"
                ? t(group ? "overrides.asGroup" : "overrides.asAll")
                : t(`overrides.limits.${limit}.${mode}`),
          }))}
          {...form.field(`${limit}Mode`)}
          error={isOwn ? undefined : field.error}
        />
        {isOwn && isDate(limit) && (
          <DateField label={t(`overrides.limits.${limit}.value`)} text={text} onPick={set} {...field} />
        )}
        {isOwn && !isDate(limit) && (
          <TextField label={t(`overrides.limits.${limit}.value`)} inputMode="decimal" {...field} />
        )}
      </div>
      {isOwn && typed && limit !== "availableFrom" && (
        <div className={classes.later}>
          {LATER.map((days) => (
            <Button
              key={days}
              size="compact"
              variant="subtle"
              onClick={() => set(shownLocal(shifted(typed, days), i18n.language))}
            >
              {t("overrides.later", { count: days })}
            </Button>
          ))}
        </div>
      )}
      {isDate(limit) && <DateFacts limit={limit} mode={mode} group={group} {...rest} />}
      {limit === "extraAttempts" && (
        <AttemptFacts pageId={part.id} mode={mode} text={text} group={group} ofGroup={ofGroup} />
      )}
      {limit === "timeFactor" && <p className={classes.dim}>{t("overrides.timeHint")}</p>}
    </div>
  );
}

type FactProps = Pick<Props, "group" | "zone" | "times"> & { limit: DateLimit; mode: Mode };

/** The date for everyone, the date for the group, and the resulting date. */
function DateFacts({ limit, mode, group, zone, times }: FactProps) {
  const { t, i18n } = useTranslation();
  const shown = (held: Times["everyone"]) => {
    if (held[limit] !== null) return typedOf(held[limit], zone, i18n.language);
    if (limit === "lateUntil" && held.dueAt === null) return t("overrides.limits.lateUntil.noDue");
    return limit === "lateUntil" && held.isLateEndless
      ? t("overrides.limits.lateUntil.endless")
      : t(`overrides.limits.${limit}.none`);
  };
  const base = shown(times.everyone);
  const ofGroup = shown(times.group ?? times.everyone);
  return (
    <p className={classes.facts}>
      <span>{t("overrides.base", { value: base })}</span>
      {group && ofGroup !== base && (
        <span>{t("overrides.ofGroup", { group: group.name, value: ofGroup })}</span>
      )}
      {mode !== "inherit" && (
        <strong aria-live="polite">{t("overrides.result", { value: shown(times.result) })}</strong>
      )}
    </p>
  );
}

interface AttemptProps extends Pick<Props, "group" | "ofGroup"> {
  pageId: string;
  mode: Mode;
  text: string;
}

/** The limit of attempts of everybody, that of the group, and the one that will hold. */
function AttemptFacts({ pageId, mode, text, group, ofGroup }: AttemptProps) {
  const { t } = useTranslation();
  const { data } = useQuery(QuizLimitDocument, { variables: { id: pageId }, fetchPolicy: "no-cache" });
  if (!data?.page.quiz) return <p className={classes.facts}>&nbsp;</p>;
  const limit = data.page.quiz.maxAttempts;
  if (limit === null) return <p className={classes.facts}>{t("overrides.unlimited")}</p>;
  const shown = (mode: Mode, extra: number) =>
    mode === "lift" ? t("overrides.limits.extraAttempts.none") : limit + extra;
  const extra = mode === "own" && /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  const groupMode = modeOf(ofGroup, "extraAttempts");
  return (
    <p className={classes.facts}>
      <span>{t("overrides.base", { value: limit })}</span>
      {group && groupMode !== "inherit" && (
        <span>
          {t("overrides.ofGroup", {
            group: group.name,
            value: shown(groupMode, ofGroup?.extraAttempts ?? 0),
          })}
        </span>
      )}
      {mode !== "inherit" && (
        <strong aria-live="polite">{t("overrides.result", { value: shown(mode, extra) })}</strong>
      )}
    </p>
  );
}
