import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { toastSaved } from "../dates/toastSaved";
import { FormDialog } from "../forms/FormDialog";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Select } from "../ui/Select";
import { TextField } from "../ui/TextField";
import { SetGradeItemsDocument } from "./GradeSettings.generated";
import classes from "./GradeSettings.module.css";
import { namesOf, parsePoints, shownDecimal } from "./grades";
import {
  changedOf,
  common,
  type GradedPage,
  type GradeSettings,
  itemPointsProblem,
  itemsKey,
  type Mode,
  modeOf,
  restoring,
} from "./settings";
import { useSettingsUndo, useStoredSettings } from "./useGradeSettings";

interface Props {
  settings: GradeSettings;
  /** One or more. */
  pages: readonly GradedPage[];
  reload: () => void;
  onClose: () => void;
}

/** Stands for «leave as it is», where the pages differ. */
const KEEP = "keep";
const NO_CATEGORY = "none";

/** The dialog of one page or of several: the category, the points, and how they count. What is not changed stays as it is in each. */
export function ItemsDialog({ settings, pages, reload, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const { courseId, categories } = settings;
  const [setItems] = useMutation(SetGradeItemsDocument);
  const read = useStoredSettings(courseId);
  const undoUnlessChanged = useSettingsUndo(courseId, reload);
  const [seen, setSeen] = useState(pages);
  const [isStale, setStale] = useState(false);
  const valuesOf = (of: readonly GradedPage[]) => {
    const category = common(of, ({ categoryId }) => categoryId ?? NO_CATEGORY);
    const points = common(of, (page) => page.points);
    return {
      category: category ?? KEEP,
      points: points === null ? "" : shownDecimal(points, i18n.language),
      mode: common(of, modeOf) ?? KEEP,
    };
  };
  const original = valuesOf(seen);
  const form = useGuardedForm({
    name: "grade-items",
    subject: pages.map(({ pageId }) => pageId).join(),
    defaultValues: valuesOf(pages),
    serverFields: { category_id: "category" },
    refusalAt: "points",
    isOnce: true,
    save: async ({ category, points, mode }) => {
      const ids = new Set(pages.map(({ pageId }) => pageId));
      const among = ({ items }: GradeSettings) => items.filter(({ pageId }) => ids.has(pageId));
      const stored = among(await read());
      if (itemsKey(stored) !== itemsKey(seen)) return { conflict: stored };
      const changed = {
        ...(category !== original.category &&
          category !== KEEP && { categoryId: category === NO_CATEGORY ? null : category }),
        ...(points !== original.points && { points: parsePoints(points) }),
        ...(mode !== original.mode && mode !== KEEP && flagsOf(mode as Mode)),
      };
      if (Object.keys(changed).length === 0) return {};
      const pageIds = stored.map(({ pageId }) => pageId);
      const { data } = await setItems({ variables: { input: { courseId, pageIds, ...changed } } });
      const saved = data ? itemsKey(among(data.setGradeItems.settings)) : "";
      return {
        undo: () =>
          undoUnlessChanged({
            isCurrent: (now) => itemsKey(among(now)) === saved,
            undo: async () => {
              for (const input of restoring(stored, changed))
                await setItems({ variables: { input: { courseId, ...input } } });
            },
          }),
      };
    },
    onSaved: ({ conflict, undo }, typed) => {
      if (conflict) {
        setSeen(conflict);
        setStale(true);
        form.reset(valuesOf(conflict));
        for (const [field, value] of Object.entries(changedOf(typed, original)))
          form.setValue(field as keyof typeof typed, value, { shouldDirty: true });
        reload();
        return;
      }
      reload();
      if (undo) toastSaved(undo, t("students.grades.settings.saved"));
      onClose();
    },
  });
  const keep = { value: KEEP, label: t("students.grades.settings.different") };
  const [page] = pages;
  return (
    <FormDialog
      title={
        pages.length === 1 && page
          ? (namesOf(settings.items).get(page.pageId) ?? page.title ?? page.lessonTitle)
          : t("students.grades.settings.pages", { count: pages.length })
      }
      form={form}
      submit={t("students.grades.settings.save")}
      className={classes.form}
      onClose={onClose}
    >
      {isStale && (
        <p className={classes.conflict} role="alert">
          {t("students.grades.settings.itemsConflict")}
        </p>
      )}
      <Select
        label={t("students.grades.settings.category")}
        options={[
          ...(original.category === KEEP ? [keep] : []),
          { value: NO_CATEGORY, label: t("students.grades.settings.withoutCategory") },
          ...categories.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        {...form.field("category")}
      />
      <TextField
        label={t("students.grades.settings.points")}
        placeholder={original.points === "" ? t("students.grades.settings.different") : undefined}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...form.field("points", (typed: string) =>
          typed.trim() === "" && original.points === "" ? null : itemPointsProblem(typed),
        )}
      />
      <Select
        label={t("students.grades.settings.mode")}
        options={[
          ...(original.mode === KEEP ? [keep] : []),
          ...(["counts", "extra", "excluded"] as const).map((value) => ({
            value,
            label: t(`students.grades.settings.modes.${value}`),
          })),
        ]}
        {...form.field("mode")}
      />
    </FormDialog>
  );
}

const flagsOf = (mode: Mode) =>
  mode === "excluded" ? { isExcluded: true } : { isExcluded: false, extraCredit: mode === "extra" };
