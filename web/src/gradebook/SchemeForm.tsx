import { useMutation } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import type { GradeScheme } from "../api/schema.generated";
import { toastSaved } from "../dates/toastSaved";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { RadioGroup } from "../ui/RadioGroup";
import { TextField } from "../ui/TextField";
import { UpdateGradeSettingsDocument } from "./GradeSettings.generated";
import classes from "./GradeSettings.module.css";
import { shownDecimal } from "./grades";
import {
  changedScheme,
  DEFAULTS,
  type GradeSettings,
  LABELS,
  parseThreshold,
  SCHEMES,
  schemeKey,
  THRESHOLD_FIELDS,
  thresholdProblem,
} from "./settings";
import { useSettingsUndo, useStoredSettings } from "./useGradeSettings";

interface Props {
  settings: GradeSettings;
  editable: boolean;
  reload: () => void;
}

/** How the percent of the course becomes a grade, and what a quiz counts that was not taken. */
export function SchemeForm({ settings, editable, reload }: Props) {
  const { t, i18n } = useTranslation();
  const { courseId } = settings;
  const [update] = useMutation(UpdateGradeSettingsDocument);
  const read = useStoredSettings(courseId);
  const undoUnlessChanged = useSettingsUndo(courseId, reload);
  const [conflict, setConflict] = useState<GradeSettings | null>(null);
  const valuesOf = ({ scheme, thresholds, missingCountsAsZero, isBlind }: GradeSettings) => {
    const [t0 = "", t1 = "", t2 = "", t3 = ""] = thresholds.map((one) => shownDecimal(one, i18n.language));
    return { scheme, missingCountsAsZero, isBlind, t0, t1, t2, t3 };
  };
  const isSaved = useRef(false);
  // The settings that the changes are made on: a save on other ones asks first.
  const based = useRef(settings);
  const form = useGuardedForm({
    name: "grade-scheme",
    subject: courseId,
    values: valuesOf(settings),
    serverFields: { thresholds: "t0" },
    refusalAt: "t0",
    save: async (typed) => {
      const stored = await read();
      if (schemeKey(stored) !== schemeKey(based.current)) return { conflict: stored };
      const thresholds = THRESHOLD_FIELDS.slice(0, DEFAULTS[typed.scheme].length).map(
        (field) => parseThreshold(typed[field]) ?? "",
      );
      const isDefault = thresholds.every((least, at) => Number(least) === Number(DEFAULTS[typed.scheme][at]));
      const { scheme, missingCountsAsZero, isBlind } = typed;
      const { data } = await update({
        variables: {
          input: {
            courseId,
            scheme,
            missingCountsAsZero,
            isBlind,
            thresholds: isDefault ? null : thresholds,
          },
        },
      });
      return { before: stored, saved: data?.updateGradeSettings.settings };
    },
    onSaved: ({ conflict, before, saved }, typed) => {
      if (conflict) {
        const changed = changedScheme(typed, valuesOf(based.current));
        based.current = conflict;
        setConflict(conflict);
        form.reset(valuesOf(conflict));
        for (const [field, value] of Object.entries(changed))
          form.setValue(field as keyof typeof typed, value, { shouldDirty: true });
        return;
      }
      setConflict(null);
      isSaved.current = true;
      reload();
      if (before && saved)
        toastSaved(
          () =>
            undoUnlessChanged({
              isCurrent: (now) => schemeKey(now) === schemeKey(saved),
              undo: async () => {
                const { scheme, thresholds, missingCountsAsZero, isBlind } = before;
                isSaved.current = true;
                await update({
                  variables: { input: { courseId, scheme, thresholds, missingCountsAsZero, isBlind } },
                });
              },
            }),
          t("students.grades.settings.saved"),
        );
    },
  });
  const { isDirty } = form;
  useEffect(() => {
    if (isDirty && !isSaved.current) return;
    isSaved.current = false;
    based.current = settings;
  }, [settings, isDirty]);
  const scheme = form.watch("scheme");
  const choose = (next: GradeScheme) => {
    form.setValue("scheme", next, { shouldDirty: true });
    const thresholds = next === settings.scheme ? settings.thresholds : DEFAULTS[next];
    fill(thresholds);
  };
  const fill = (thresholds: readonly string[]) => {
    THRESHOLD_FIELDS.forEach((field, at) => {
      form.setValue(field, shownDecimal(thresholds[at] ?? "", i18n.language), { shouldDirty: true });
    });
    form.clearErrors();
  };
  const labelOf = (label: string) =>
    label === "pass" || label === "fail" ? t(`students.grades.labels.${label}`) : label;
  const labels = LABELS[scheme];
  return (
    <form {...form.props} className={classes.form}>
      <fieldset disabled={!editable} className={classes.plain}>
        {conflict && (
          <p className={classes.conflict} role="alert">
            {t("students.grades.settings.schemeConflict", {
              scheme: t(`students.grades.settings.schemes.${conflict.scheme}`),
              thresholds:
                conflict.thresholds.map((one) => shownDecimal(one, i18n.language)).join(", ") || "—",
              missing: t(
                `students.grades.settings.${conflict.missingCountsAsZero ? "missingIsZero" : "missingIsNothing"}`,
              ),
              names: t(`students.grades.settings.${conflict.isBlind ? "namesAreHidden" : "namesAreShown"}`),
            })}
          </p>
        )}
        <RadioGroup
          label={t("students.grades.settings.scheme")}
          value={scheme}
          options={SCHEMES.map((value) => ({ value, label: t(`students.grades.settings.schemes.${value}`) }))}
          onChange={choose}
        />
        {DEFAULTS[scheme].length > 0 && (
          <div className={classes.thresholds}>
            {THRESHOLD_FIELDS.slice(0, DEFAULTS[scheme].length).map((field, at) => (
              <TextField
                key={`${scheme} ${field}`}
                label={t("students.grades.settings.least", { label: labelOf(labels[at] ?? "") })}
                inputMode="decimal"
                autoComplete="off"
                {...form.field(field, (typed: string) => {
                  const above = at > 0 ? THRESHOLD_FIELDS[at - 1] : undefined;
                  return thresholdProblem(typed, above && form.getValues(above));
                })}
              />
            ))}
            <p className={classes.rest}>
              {t("students.grades.settings.below", { label: labelOf(labels.at(-1) ?? "") })}
              {editable && (
                <Button variant="subtle" type="button" onClick={() => fill(DEFAULTS[scheme])}>
                  {t("students.grades.settings.defaults")}
                </Button>
              )}
            </p>
          </div>
        )}
        <Checkbox
          label={t("students.grades.settings.missing")}
          hint={t("students.grades.settings.missingHint")}
          {...form.register("missingCountsAsZero")}
        />
        <Checkbox
          label={t("students.grades.settings.blind")}
          hint={t("students.grades.settings.blindHint")}
          {...form.register("isBlind")}
        />
        {editable && (
          <div className={classes.actions}>
            <Button type="submit" loading={form.isBusy} disabled={!form.isDirty}>
              {t("students.grades.settings.save")}
            </Button>
            {form.isDirty && (
              <Button
                variant="default"
                type="button"
                onClick={() => {
                  setConflict(null);
                  form.reset(valuesOf(conflict ?? settings));
                }}
              >
                {t("students.grades.settings.cancel")}
              </Button>
            )}
          </div>
        )}
      </fieldset>
    </form>
  );
}
