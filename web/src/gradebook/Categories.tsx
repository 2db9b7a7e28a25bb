import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { toastSaved } from "../dates/toastSaved";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Menu } from "../ui/Menu";
import { toastFailure } from "../ui/toasts";
import { CategoryDialog } from "./CategoryDialog";
import {
  CreateGradeCategoryDocument,
  DeleteGradeCategoryDocument,
  SetGradeItemsDocument,
  UpdateGradeCategoryDocument,
} from "./GradeSettings.generated";
import classes from "./GradeSettings.module.css";
import { shownDecimal } from "./grades";
import type { Category, GradeSettings } from "./settings";
import { useStoredSettings } from "./useGradeSettings";

interface Props {
  settings: GradeSettings;
  editable: boolean;
  reload: () => void;
}

/** The categories of a gradebook: each is changed in a dialog, moved and deleted by its menu. */
export function Categories({ settings, editable, reload }: Props) {
  const { t, i18n } = useTranslation();
  const { courseId, categories, items } = settings;
  const [edited, setEdited] = useState<Category | "new" | null>(null);
  const [create] = useMutation(CreateGradeCategoryDocument);
  const [update] = useMutation(UpdateGradeCategoryDocument);
  const [remove] = useMutation(DeleteGradeCategoryDocument);
  const [setItems] = useMutation(SetGradeItemsDocument);
  const read = useStoredSettings(courseId);
  const move = async (category: Category, position: number) => {
    try {
      await update({ variables: { input: { categoryId: category.id, position } } });
    } catch (error) {
      toastFailure(error);
    }
    reload();
  };
  const erase = async (category: Category, position: number) => {
    const pageIds = items.filter(({ categoryId }) => categoryId === category.id).map(({ pageId }) => pageId);
    try {
      await remove({ variables: { input: { categoryId: category.id } } });
    } catch (error) {
      toastFailure(error);
      return reload();
    }
    reload();
    toastSaved(
      async () => {
        const { title, weight, dropLowest } = category;
        const input = { courseId, title, weight, dropLowest, position };
        const { data } = await create({ variables: { input } });
        const categoryId = data?.createGradeCategory.category?.id;
        // A page that somebody has put into another category since stays there.
        const loose = (await read()).items.filter((page) => page.categoryId === null);
        const back = loose.map(({ pageId }) => pageId).filter((id) => pageIds.includes(id));
        if (categoryId && back.length > 0)
          await setItems({ variables: { input: { courseId, categoryId, pageIds: back } } });
        reload();
      },
      t("students.grades.settings.categoryDeleted", { category: category.title }),
    );
  };
  return (
    <>
      {categories.length === 0 ? (
        <p className={classes.none}>{t("students.grades.settings.noCategories")}</p>
      ) : (
        <ul className={classes.rows} aria-label={t("students.grades.settings.categories")}>
          {categories.map((category, at) => (
            <li key={category.id} className={classes.row}>
              <div className={classes.words}>
                <span className={classes.name}>{category.title}</span>
                <span className={classes.facts}>
                  {[
                    t("students.grades.settings.weightOf", {
                      weight: shownDecimal(category.weight, i18n.language),
                    }),
                    t("students.grades.settings.pages", {
                      count: items.filter(({ categoryId }) => categoryId === category.id).length,
                    }),
                    category.dropLowest > 0 &&
                      t("students.grades.settings.drops", { count: category.dropLowest }),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </div>
              {editable && (
                <div className={classes.tools}>
                  <Button
                    variant="default"
                    aria-label={t("students.grades.settings.editCategory", { category: category.title })}
                    onClick={() => setEdited(category)}
                  >
                    {t("students.grades.settings.edit")}
                  </Button>
                  <Menu
                    label={t("students.grades.settings.actions", { category: category.title })}
                    align="end"
                    items={() => [
                      ...(at > 0
                        ? [
                            {
                              label: t("students.groups.up"),
                              onSelect: () => void move(category, at - 1),
                            },
                          ]
                        : []),
                      ...(at < categories.length - 1
                        ? [
                            {
                              label: t("students.groups.down"),
                              onSelect: () => void move(category, at + 1),
                            },
                          ]
                        : []),
                      {
                        label: t("students.grades.settings.deleteCategory"),
                        danger: true,
                        apart: categories.length > 1,
                        onSelect: () => void erase(category, at),
                      },
                    ]}
                  />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {editable && (
        <Button variant="default" onClick={() => setEdited("new")}>
          {t("students.grades.settings.addCategory")}
        </Button>
      )}
      {edited && (
        <CategoryDialog
          courseId={courseId}
          category={edited === "new" ? null : edited}
          reload={reload}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
