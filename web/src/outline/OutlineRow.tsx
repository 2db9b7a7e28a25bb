import { PointerSensor } from "@dnd-kit/dom";
import { useDraggable } from "@dnd-kit/react";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { type ComponentProps, memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { DragHandle } from "../ui/DragHandle";
import { IconChevron, IconEye, IconEyeOff, IconPage, IconPlus, IconQuiz } from "../ui/icons";
import { Menu } from "../ui/Menu";
import type { Actions } from "./actions";
import classes from "./OutlineRow.module.css";
import { type ItemRow, isItem, type Row } from "./rows";
import { TitleField } from "./TitleField";
import { shownTitle } from "./titles";

const POINTER_ONLY = [PointerSensor];

interface Props {
  row: Row;
  /** The one row that Tab reaches. */
  active: boolean;
  selected: boolean;
  /** Its title is being written. */
  editing: boolean;
  refusal: string | null;
  editable: boolean;
  /** Never changes. */
  actions: Actions;
}

/** A line of the outline: something that is there, something that is being added, or a place to add more. */
export const OutlineRow = memo(
  function OutlineRow({ row, ...rest }: Props) {
    if (isItem(row)) return <Item row={row} {...rest} />;
    return <Extra row={row} {...rest} />;
  },
  // Rows are made anew with each change of the tree; what they show mostly stays.
  (before, after) =>
    sameRow(before.row, after.row) &&
    before.active === after.active &&
    before.selected === after.selected &&
    before.editing === after.editing &&
    before.refusal === after.refusal &&
    before.editable === after.editable,
);

function sameRow(one: Row, other: Row): boolean {
  const keys = Object.keys(one) as (keyof Row)[];
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

function Item({ row, active, selected, editing, refusal, editable, actions }: Props & { row: ItemRow }) {
  const { t } = useTranslation();
  const { ref, handleRef } = useDraggable({
    id: row.id,
    disabled: !editable,
    sensors: POINTER_ONLY,
  });
  const title = shownTitle(row, t);
  const tabIndex = active ? 0 : -1;
  const quiz = row.kind === "page" && row.page.kind === "QUIZ";
  const drafts =
    row.kind === "lesson" ? row.lesson.pages.filter((page) => !page.published).length : undefined;
  return (
    <Line
      ref={ref}
      data-key={row.key}
      kind={row.kind}
      aria-level={row.level}
      aria-posinset={row.number}
      aria-setsize={row.siblings}
      aria-expanded={row.kind === "page" ? undefined : row.expanded}
      aria-selected={editable ? selected : undefined}
      aria-label={label(row, title, t)}
      tabIndex={tabIndex}
    >
      <Cell>
        {editable && (
          <span className={classes.tools}>
            <input
              type="checkbox"
              className={classes.check}
              checked={selected}
              aria-label={t("outline.select", { title })}
              tabIndex={-1}
              onChange={() => {}}
              onClick={(event) => actions.select(row.id, event.shiftKey ? "range" : "toggle")}
            />
            <DragHandle
              ref={handleRef}
              label={t("outline.drag", { title })}
              tabIndex={-1}
              className={classes.handle}
            />
          </span>
        )}
        {row.kind !== "page" && (
          <button
            type="button"
            className={classes.chevron}
            data-open={row.expanded || undefined}
            aria-label={t(row.expanded ? "outline.collapse" : "outline.expand", { title })}
            tabIndex={-1}
            onClick={() => actions.toggle(row.id)}
          >
            <IconChevron size={16} />
          </button>
        )}
        {row.kind === "module" && (
          <ModulePicture row={row} title={title} editable={editable} tabIndex={tabIndex} actions={actions} />
        )}
        {row.kind === "page" && (
          <span className={classes.icon}>{quiz ? <IconQuiz size={18} /> : <IconPage size={18} />}</span>
        )}
        {editing ? (
          <TitleField
            label={t(`outline.newTitle.${quiz ? "quiz" : row.kind}`)}
            initial={row.kind === "page" ? (row.page.title ?? "") : title}
            placeholder={row.kind === "page" ? title : undefined}
            optional={row.kind === "page"}
            refusal={refusal}
            onSave={(typed, by) => actions.rename(row.id, typed, by)}
            onCancel={(by) => actions.stopEditing(row.id, by)}
          />
        ) : row.kind === "page" && editable ? (
          <Link
            to="/edit-page/$pageId"
            params={{ pageId: row.id }}
            className={classes.title}
            data-draft={!row.page.published || undefined}
            data-untitled={row.page.title === null || undefined}
            tabIndex={tabIndex}
          >
            {title}
          </Link>
        ) : row.kind === "page" ? (
          <Link
            to="/view-page/$pageId"
            params={{ pageId: row.id }}
            className={classes.title}
            data-draft={!row.page.published || undefined}
            tabIndex={tabIndex}
          >
            {title}
          </Link>
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has F2 and the menu for it.
          // biome-ignore lint/a11y/useKeyWithClickEvents: likewise.
          <span className={classes.title} onClick={() => editable && actions.edit(row.id)}>
            {title}
          </span>
        )}
        <span className={classes.facts}>
          {row.kind === "module" && t("common.pages", { count: row.pages })}
          {row.kind === "lesson" &&
            (row.lesson.pages.length === 0
              ? t("outline.emptyLesson")
              : t("common.pages", { count: row.lesson.pages.length }))}
          {drafts ? <span className={classes.badge}>{t("outline.drafts", { count: drafts })}</span> : null}
          {row.kind === "page" && !row.page.published && (
            <span className={classes.badge}>{t("outline.draft")}</span>
          )}
        </span>
        {editable && (
          <span className={classes.buttons}>
            {row.kind === "page" && (
              <button
                type="button"
                className={classes.button}
                aria-label={t(row.page.published ? "outline.hideNow" : "outline.publishNow", { title })}
                aria-pressed={row.page.published}
                tabIndex={tabIndex}
                onClick={() => actions.publish([row.id], !row.page.published)}
              >
                {row.page.published ? <IconEye size={18} /> : <IconEyeOff size={18} />}
              </button>
            )}
            {row.kind !== "page" && (
              <button
                type="button"
                className={classes.button}
                aria-label={t(row.kind === "module" ? "outline.addLessonTo" : "outline.addPageTo", { title })}
                tabIndex={tabIndex}
                onClick={() => actions.addInside(row.id)}
              >
                <IconPlus size={18} />
              </button>
            )}
            <Menu
              label={t("outline.actions", { title })}
              items={() => actions.menu(row)}
              className={classes.button}
              tabIndex={tabIndex}
            />
          </span>
        )}
      </Cell>
    </Line>
  );
}

function ModulePicture({
  row,
  title,
  editable,
  tabIndex,
  actions,
}: {
  row: ItemRow & { kind: "module" };
  title: string;
  editable: boolean;
  tabIndex: number;
  actions: Actions;
}) {
  const { t } = useTranslation();
  const picture = row.module.avatarUrl ? (
    <img className={classes.picture} src={row.module.avatarUrl} alt="" width={40} height={40} />
  ) : (
    <span className={classes.picture} aria-hidden="true">
      {[...title][0]?.toUpperCase()}
    </span>
  );
  if (!editable) return picture;
  return (
    <button
      type="button"
      className={classes.pictureButton}
      aria-label={`${t("outline.menu.picture")} ${title}`}
      tabIndex={tabIndex}
      onClick={() => actions.openModule(row.id)}
    >
      {picture}
    </button>
  );
}

function label(row: ItemRow, title: string, t: TFunction): string {
  if (row.kind === "module")
    return `${t("outline.named.module", { title })}, ${t("common.lessons", { count: row.module.lessons.length })}`;
  if (row.kind === "lesson")
    return `${t("outline.named.lesson", { title })}, ${t("common.pages", { count: row.lesson.pages.length })}`;
  const named = t(row.page.kind === "QUIZ" ? "outline.named.quiz" : "outline.named.page", { title });
  return `${named}, ${t(row.page.published ? "outline.isPublished" : "outline.isDraft")}`;
}

function Extra({ row, active, refusal, actions }: Props) {
  const { t } = useTranslation();
  const tabIndex = active ? 0 : -1;
  if (row.kind === "add") {
    const { title } = row;
    const page = row.adds === "page";
    return (
      <Line
        data-key={row.key}
        kind="add"
        aria-level={row.level}
        aria-label={t(page ? "outline.addRowLesson" : "outline.addRowModule", { title })}
        tabIndex={tabIndex}
      >
        <Cell>
          {page ? (
            <>
              <AddButton
                label={t("outline.addPageTo", { title })}
                tabIndex={tabIndex}
                onClick={() => actions.add("page", { parentId: row.parentId, before: null })}
              >
                {t("outline.addPage")}
              </AddButton>
              <AddButton
                label={t("outline.addQuizTo", { title })}
                tabIndex={tabIndex}
                onClick={() => actions.add("quiz", { parentId: row.parentId, before: null })}
              >
                {t("outline.addQuiz")}
              </AddButton>
            </>
          ) : (
            <AddButton
              label={t("outline.addLessonTo", { title })}
              tabIndex={tabIndex}
              onClick={() => actions.add("lesson", { parentId: row.parentId, before: null })}
            >
              {t("outline.addLesson")}
            </AddButton>
          )}
        </Cell>
      </Line>
    );
  }
  if (row.kind === "saving") {
    return (
      <Line data-key={row.key} kind={kindOf(row.saving.kind)} aria-level={row.level}>
        <Cell>
          <span className={classes.title} data-saving>
            {row.saving.title || t(`outline.kind.${row.saving.kind}`)}
          </span>
          <span className={classes.facts}>{t("outline.saving")}</span>
        </Cell>
      </Line>
    );
  }
  if (row.kind !== "draft") return null;
  const { kind } = row.draft;
  return (
    <Line data-key="draft" kind={kindOf(kind)} aria-level={row.level}>
      <Cell>
        <TitleField
          label={t(`outline.newTitle.${kind}`)}
          placeholder={t(`outline.newTitle.${kind}`)}
          initial={actions.draftText()}
          optional={kind === "page" || kind === "quiz"}
          refusal={refusal}
          hint={`${t("outline.draftHint")}. ${t("outline.draftHintLevels")}`}
          onSave={actions.saveDraft}
          onCancel={actions.cancelDraft}
          onKeyDown={(event, typed) => {
            if (!event.altKey || typed !== "") return;
            if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
            event.preventDefault();
            actions.shiftDraft(event.key === "ArrowRight" ? 1 : -1);
          }}
        />
      </Cell>
    </Line>
  );
}

/** A row of the grid; a table's own rows cannot be lifted out of the flow, as only those in sight are there. */
function Line({ kind, ...rest }: ComponentProps<"div"> & { kind: string; "data-key": string }) {
  // biome-ignore lint/a11y/useSemanticElements: as above.
  // biome-ignore lint/a11y/useFocusableInteractive: all but the lines one writes in have a tabIndex.
  return <div role="row" className={classes.row} data-kind={kind} {...rest} />;
}

function Cell({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus, not its one cell.
    <div role="gridcell" className={classes.cell}>
      {children}
    </div>
  );
}

function kindOf(kind: string): string {
  return kind === "quiz" ? "page" : kind;
}

function AddButton({
  label,
  tabIndex,
  onClick,
  children,
}: {
  label: string;
  tabIndex: number;
  onClick: () => void;
  children: string;
}) {
  return (
    <button type="button" className={classes.add} aria-label={label} tabIndex={tabIndex} onClick={onClick}>
      <IconPlus size={16} />
      {children}
    </button>
  );
}
