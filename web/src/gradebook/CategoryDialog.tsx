import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { toastSaved } from "../dates/toastSaved";
import { FormDialog } from "../forms/FormDialog";
import { titleProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { TextField } from "../ui/TextField";
import {
  CreateGradeCategoryDocument,
  DeleteGradeCategoryDocument,
  UpdateGradeCategoryDocument,
} from "./GradeSettings.generated";
import classes from "./GradeSettings.module.css";
import { parsePoints, shownDecimal } from "./grades";
import {
  type Category,
  categoryKey,
  changedOf,
  dropProblem,
  type GradeSettings,
  weightProblem,
} from "./settings";
import { useSettingsUndo, useStoredSettings } from "./useGradeSettings";

interface Props {
  courseId: string;
  /** Null: a new one. */
  category: Category | null;
  reload: () => void;
  onClose: () => void;
}

/** The dialog of a category: its title, its weight, and how many of the lowest results do not count. */
export function CategoryDialog({ courseId, category, reload, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const [create] = useMutation(CreateGradeCategoryDocument);
  const [update] = useMutation(UpdateGradeCategoryDocument);
  const [remove] = useMutation(DeleteGradeCategoryDocument);
  const read = useStoredSettings(courseId);
  const undoUnlessChanged = useSettingsUndo(courseId, reload);
  // The category that the changes are made on: as it was opened, or after a conflict as it is stored.
  const [seen, setSeen] = useState(category);
  const [newer, setNewer] = useState<Category | null>(null);
  const valuesOf = (one: Category | null) => ({
    title: one?.title ?? "",
    weight: shownDecimal(one?.weight ?? "100", i18n.language),
    dropLowest: String(one?.dropLowest ?? 0),
  });
  const form = useGuardedForm({
    name: "grade-category",
    subject: `${courseId} ${category?.id ?? ""}`,
    defaultValues: valuesOf(category),
    serverFields: { drop_lowest: "dropLowest" },
    refusalAt: "title",
    isOnce: true,
    save: async ({ title, weight, dropLowest }) => {
      const input = {
        title: title.trim(),
        weight: parsePoints(weight) ?? "",
        dropLowest: Number(dropLowest),
      };
      if (!category) {
        const { data } = await create({ variables: { input: { courseId, ...input } } });
        const made = data?.createGradeCategory.category?.id;
        const saved = data?.createGradeCategory.settings.categories.find(({ id }) => id === made);
        return {
          undo:
            made &&
            (() =>
              undoUnlessChanged({
                // Undoing would take the category away from pages that were added to it since.
                isCurrent: (now) =>
                  categoryKey(now.categories.find(({ id }) => id === made)) === categoryKey(saved) &&
                  now.items.every(({ categoryId }) => categoryId !== made),
                undo: () => remove({ variables: { input: { categoryId: made } } }),
              })),
          text: t("students.grades.settings.categoryMade", { category: input.title }),
        };
      }
      const stored = (await read()).categories.find(({ id }) => id === category.id);
      // A deleted category is left to the server, which says so.
      if (stored && categoryKey(stored) !== categoryKey(seen ?? undefined)) return { conflict: stored };
      const { data } = await update({ variables: { input: { categoryId: category.id, ...input } } });
      const keyIn = (settings: GradeSettings | undefined) =>
        categoryKey(settings?.categories.find(({ id }) => id === category.id));
      const saved = keyIn(data?.updateGradeCategory.settings);
      const { title: earlier, weight: weighed, dropLowest: dropped } = stored ?? category;
      const before = { title: earlier, weight: weighed, dropLowest: dropped };
      return {
        undo: () =>
          undoUnlessChanged({
            isCurrent: (now) => keyIn(now) === saved,
            undo: () => update({ variables: { input: { categoryId: category.id, ...before } } }),
          }),
        text: t("students.grades.settings.saved"),
      };
    },
    onSaved: ({ conflict, undo, text }, typed) => {
      if (conflict) {
        setSeen(conflict);
        setNewer(conflict);
        form.reset(valuesOf(conflict));
        for (const [field, value] of Object.entries(changedOf(typed, valuesOf(seen))))
          form.setValue(field as keyof typeof typed, value, { shouldDirty: true });
        return;
      }
      reload();
      if (undo) toastSaved(undo, text);
      onClose();
    },
  });
  return (
    <FormDialog
      title={
        category
          ? t("students.grades.settings.categoryTitle", { category: category.title })
          : t("students.grades.settings.newCategory")
      }
      form={form}
      submit={t(category ? "students.grades.settings.save" : "students.grades.settings.add")}
      className={classes.form}
      onClose={onClose}
    >
      {newer && (
        <p className={classes.conflict} role="alert">
          {t("students.grades.settings.categoryConflict", {
            title: newer.title,
            weight: shownDecimal(newer.weight, i18n.language),
            drops: newer.dropLowest,
          })}
        </p>
      )}
      <TextField
        label={t("students.grades.settings.categoryName")}
        placeholder={t("students.grades.settings.categoryExample")}
        autoComplete="off"
        data-autofocus
        {...form.field("title", titleProblem)}
      />
      <TextField
        label={t("students.grades.settings.weight")}
        description={t("students.grades.settings.weightHint")}
        inputMode="decimal"
        autoComplete="off"
        {...form.field("weight", weightProblem)}
      />
      <TextField
        label={t("students.grades.settings.drop")}
        description={t("students.grades.settings.dropHint")}
        inputMode="numeric"
        autoComplete="off"
        {...form.field("dropLowest", dropProblem)}
      />
    </FormDialog>
  );
}
