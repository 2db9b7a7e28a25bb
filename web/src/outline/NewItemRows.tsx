import { optionalTitleProblem } from "../forms/rules";
import { useTranslation } from "../i18n/useTranslation";
import { IconPlus } from "../ui/icons";
import type { RowProps } from "./OutlineRow";
import classes from "./OutlineRow.module.css";
import { allOf, readOutline } from "./pastedOutline";
import { RowFrame } from "./RowFrame";
import {
  type AddRow as AddRowOf,
  type DraftRow as DraftRowOf,
  isPageKind,
  type NewKind,
  type SavingRow as SavingRowOf,
} from "./rows";
import { TitleField } from "./TitleField";

/** The end of a list, with buttons that add to it. */
export function AddRow({ row, active, actions }: Pick<RowProps<AddRowOf>, "row" | "active" | "actions">) {
  const { t } = useTranslation();
  const { title } = row;
  const tabIndex = active ? 0 : -1;
  const button = (kind: NewKind, label: string, text: string) => (
    <button
      type="button"
      className={classes.add}
      aria-label={label}
      tabIndex={tabIndex}
      onClick={() => actions.add(kind, { parentId: row.parentId, before: null })}
    >
      <IconPlus size={16} />
      {text}
    </button>
  );
  const isPage = row.adds === "page";
  return (
    <RowFrame
      data-key={row.key}
      kind="add"
      aria-level={row.level}
      aria-label={t(isPage ? "outline.addRowLesson" : "outline.addRowModule", { title })}
      tabIndex={tabIndex}
    >
      {isPage ? (
        <>
          {button("page", t("outline.addPageTo", { title }), t("outline.addPage"))}
          {button("quiz", t("outline.addQuizTo", { title }), t("outline.addQuiz"))}
          {button("assignment", t("outline.addAssignmentTo", { title }), t("outline.addAssignment"))}
        </>
      ) : (
        button("lesson", t("outline.addLessonTo", { title }), t("outline.addLesson"))
      )}
    </RowFrame>
  );
}

/** A new item that the server has not created yet. */
export function SavingRow({ row }: { row: SavingRowOf }) {
  const { t } = useTranslation();
  const { kind, title } = row.saving;
  return (
    <RowFrame data-key={row.key} kind={kind} aria-level={row.level}>
      <span className={classes.title} data-saving>
        {title || t(`outline.kind.${kind}`)}
      </span>
      <span className={classes.facts}>{t("outline.saving")}</span>
    </RowFrame>
  );
}

/** A field for the title of a new item. */
export function DraftRow({
  row,
  refusal,
  actions,
}: Pick<RowProps<DraftRowOf>, "row" | "refusal" | "actions">) {
  const { t } = useTranslation();
  const { kind, key, title } = row.draft;
  return (
    <RowFrame data-key={row.key} kind={kind} aria-level={row.level}>
      <TitleField
        key={key}
        label={t(`outline.newTitle.${kind}`)}
        subject={`new ${kind}`}
        placeholder={t(`outline.newTitle.${kind}`)}
        initial={title}
        optional={isPageKind(kind)}
        refusal={refusal}
        hint={`${t("outline.draftHint")}. ${t("outline.draftHintLevels")}`}
        onSave={actions.saveDraft}
        onCancel={actions.cancelDraft}
        onPasted={(text) => {
          const items = readOutline(text, kind);
          // A title that is too long stays in the field, where its problem is shown.
          if (!items || allOf(items).some((item) => optionalTitleProblem(item.title))) return false;
          void actions.pasteDraft(items);
          return true;
        }}
        onKeyDown={(event, typed) => {
          if (!event.altKey || typed !== "") return;
          if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
          event.preventDefault();
          actions.shiftDraft(event.key === "ArrowRight" ? 1 : -1);
        }}
      />
    </RowFrame>
  );
}
