import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import classes from "./GradeSettings.module.css";
import { namesOf, shownDecimal } from "./grades";
import { ItemsDialog } from "./ItemsDialog";
import { type GradedPage, type GradeSettings, modeOf } from "./settings";

interface Props {
  settings: GradeSettings;
  editable: boolean;
  reload: () => void;
}

/** The graded pages of a course. One is changed by its button, several together once they are selected. */
export function GradedPages({ settings, editable, reload }: Props) {
  const { t, i18n } = useTranslation();
  const { items, categories } = settings;
  const names = namesOf(items);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [edited, setEdited] = useState<readonly GradedPage[] | null>(null);
  const selected = items.filter(({ pageId }) => chosen.has(pageId));
  const loose = categories.length === 0 ? [] : items.filter((page) => page.categoryId === null);
  const select = (pages: readonly GradedPage[]) => setChosen(new Set(pages.map(({ pageId }) => pageId)));
  const toggle = (id: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id)));
  if (items.length === 0) return <p className={classes.none}>{t("students.grades.noItemsText")}</p>;
  return (
    <>
      {loose.length > 0 && (
        <p className={classes.warning}>
          {t("students.grades.settings.loose", { count: loose.length })}
          {editable && (
            <Button variant="subtle" onClick={() => select(loose)}>
              {t("students.grades.settings.selectLoose")}
            </Button>
          )}
        </p>
      )}
      {editable && (
        <div className={classes.selection}>
          <label className={classes.all}>
            <input
              type="checkbox"
              checked={selected.length === items.length}
              onChange={(event) => select(event.currentTarget.checked ? items : [])}
            />
            {t("students.grades.settings.selectAll")}
          </label>
          <Button variant="default" disabled={selected.length === 0} onClick={() => setEdited(selected)}>
            {t("students.grades.settings.editChosen", { count: selected.length })}
          </Button>
        </div>
      )}
      <ul className={classes.rows} aria-label={t("students.grades.settings.items")}>
        {items.map((page) => {
          const title = names.get(page.pageId) ?? "";
          const mode = modeOf(page);
          const category = categories.find(({ id }) => id === page.categoryId)?.title;
          return (
            <li key={page.pageId} className={classes.row}>
              {editable && (
                <input
                  type="checkbox"
                  aria-label={t("students.grades.settings.select", { page: title })}
                  checked={chosen.has(page.pageId)}
                  onChange={(event) => toggle(page.pageId, event.currentTarget.checked)}
                />
              )}
              <div className={classes.words}>
                <span className={classes.name}>{title}</span>
                <span className={classes.facts}>
                  {[
                    `${shownDecimal(page.points, i18n.language)} ${t("students.grades.pointsShort")}`,
                    category ?? (categories.length > 0 && t("students.grades.noCategory")),
                    mode !== "counts" && t(`students.grades.settings.signs.${mode}`),
                    !page.published && t("students.grades.settings.draft"),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </div>
              {editable && (
                <Button
                  variant="default"
                  aria-label={t("students.grades.settings.editCategory", { category: title })}
                  onClick={() => setEdited([page])}
                >
                  {t("students.grades.settings.edit")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {edited && (
        <ItemsDialog settings={settings} pages={edited} reload={reload} onClose={() => setEdited(null)} />
      )}
    </>
  );
}
