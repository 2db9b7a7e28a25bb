import { PointerSensor } from "@dnd-kit/dom";
import { useDraggable } from "@dnd-kit/react";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { type ComponentProps, useContext } from "react";
import { IconComment } from "../comments/IconComment";
import { ThreadCounts } from "../comments/useThreadCounts";
import { KindIcon } from "../course/KindIcon";
import { HasQuestionSwitch } from "../course-questions/hasQuestionSwitch";
import { UnsentPages } from "../editor/useUnsent";
import { useTranslation } from "../i18n/useTranslation";
import { DragHandle } from "../ui/DragHandle";
import { IconButton } from "../ui/IconButton";
import { IconEyeOff } from "../ui/IconEyeOff";
import { IconChevron, IconEye, IconPlus } from "../ui/icons";
import { IconPage } from "../ui/laterIcons";
import { Menu } from "../ui/Menu";
import { UnpublishedPages } from "../unpublished/useUnpublishedPages";
import type { RowProps } from "./OutlineRow";
import classes from "./OutlineRow.module.css";
import { RowFrame } from "./RowFrame";
import { rowMenu } from "./rowMenu";
import type { ItemRow as ItemRowOf, ModuleRow } from "./rows";
import { TitleField } from "./TitleField";
import { shownTitle } from "./titles";

const POINTER_ONLY = [PointerSensor];

type Props = RowProps<ItemRowOf>;

/** A module, a lesson or a page. */
export function ItemRow(props: Props) {
  const { row, active, selected, editing, editable, actions } = props;
  const { t } = useTranslation();
  const { ref, handleRef } = useDraggable({ id: row.id, disabled: !editable, sensors: POINTER_ONLY });
  const title = shownTitle(row, t);
  const isChanged = useContext(UnpublishedPages).has(row.id);
  const threads = useContext(ThreadCounts).counts.get(row.id) ?? 0;
  const tabIndex = active ? 0 : -1;
  return (
    <RowFrame
      ref={ref}
      data-key={row.key}
      kind={row.kind}
      aria-level={row.level}
      aria-posinset={row.number}
      aria-setsize={row.siblings}
      aria-expanded={row.kind === "page" ? undefined : row.expanded}
      aria-selected={editable ? selected : undefined}
      aria-label={
        label(row, title, isChanged, t) + (threads > 0 ? `, ${t("outline.threads", { count: threads })}` : "")
      }
      tabIndex={tabIndex}
    >
      {editable && <Handles {...props} title={title} handleRef={handleRef} />}
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
      {row.kind === "module" && <ModulePicture {...props} row={row} title={title} />}
      {row.kind === "page" && (
        <span className={classes.icon}>
          {row.page.kind === "CONTENT" ? <IconPage size={18} /> : <KindIcon kind={row.page.kind} size={18} />}
        </span>
      )}
      {editing ? <EditedTitle {...props} title={title} /> : <Title {...props} title={title} />}
      <Facts row={row} />
      {editable && <Buttons {...props} title={title} />}
    </RowFrame>
  );
}

interface PartProps extends Props {
  title: string;
}

/** The checkbox that selects the row, and the handle that drags it. */
function Handles({
  row,
  selected,
  selecting,
  actions,
  title,
  handleRef,
}: PartProps & { handleRef: ComponentProps<typeof DragHandle>["ref"] }) {
  const { t } = useTranslation();
  return (
    <span className={classes.tools} data-selecting={selecting || undefined}>
      <label className={classes.tick}>
        <input
          type="checkbox"
          className={classes.check}
          checked={selected}
          aria-label={t("outline.select", { title })}
          tabIndex={-1}
          onChange={() => {}}
          onClick={(event) => actions.select(row.id, event.shiftKey ? "range" : "toggle")}
        />
      </label>
      <DragHandle
        ref={handleRef}
        label={t("outline.drag", { title })}
        tabIndex={-1}
        className={classes.handle}
      />
    </span>
  );
}

function ModulePicture({ row, title, editable, active, actions }: PartProps & { row: ModuleRow }) {
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
      tabIndex={active ? 0 : -1}
      onClick={() => actions.openDialog({ kind: "module", id: row.id })}
    >
      {picture}
    </button>
  );
}

function EditedTitle({ row, refusal, actions, title }: PartProps) {
  const { t } = useTranslation();
  const isPage = row.kind === "page";
  return (
    <TitleField
      label={t(`outline.newTitle.${isPage ? NAMES[row.page.kind] : row.kind}`)}
      subject={row.id}
      initial={isPage ? (row.page.title ?? "") : title}
      placeholder={isPage ? title : undefined}
      optional={isPage}
      refusal={refusal}
      onSave={(typed, by) => actions.rename(row.id, typed, by)}
      onCancel={(by) => actions.stopEditing(row.id, by)}
    />
  );
}

/** The title of a page leads to it; that of a module or lesson can be edited by a click. */
function Title({ row, editable, active, actions, title }: PartProps) {
  const { isReviewed } = useContext(ThreadCounts);
  if (row.kind !== "page") {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has F2 and the menu for it.
      // biome-ignore lint/a11y/useKeyWithClickEvents: likewise.
      <span className={classes.title} onClick={() => editable && actions.edit(row.id)}>
        {title}
      </span>
    );
  }
  return (
    <Link
      to={editable || isReviewed ? "/edit-page/$pageId" : "/view-page/$pageId"}
      params={{ pageId: row.id }}
      className={classes.title}
      data-draft={!row.page.published || undefined}
      data-untitled={(editable && row.page.title === null) || undefined}
      tabIndex={active ? 0 : -1}
    >
      {title}
    </Link>
  );
}

/** The number of pages, and what learners cannot see yet. */
function Facts({ row }: { row: ItemRowOf }) {
  const { t } = useTranslation();
  const unsent = useContext(UnsentPages);
  const unpublished = useContext(UnpublishedPages);
  const threads = useContext(ThreadCounts).counts.get(row.kind === "page" ? row.id : "");
  if (row.kind === "module")
    return <span className={classes.facts}>{t("common.pages", { count: row.pages })}</span>;
  if (row.kind === "page") {
    return (
      <span className={classes.facts}>
        {threads !== undefined && (
          <span className={classes.threads} title={t("outline.threads", { count: threads })}>
            <IconComment size={14} />
            {threads}
          </span>
        )}
        {unsent.has(row.id) && <span className={classes.badge}>{t("outline.unsent")}</span>}
        {!row.page.published && <span className={classes.badge}>{t("outline.draft")}</span>}
        {row.page.published && unpublished.has(row.id) && (
          <span className={classes.badge}>{t("unpublished.list.mark")}</span>
        )}
      </span>
    );
  }
  const { pages } = row.lesson;
  const drafts = pages.filter((page) => !page.published).length;
  return (
    <span className={classes.facts}>
      {pages.length === 0 ? t("outline.emptyLesson") : t("common.pages", { count: pages.length })}
      {drafts > 0 && <span className={classes.badge}>{t("outline.drafts", { count: drafts })}</span>}
    </span>
  );
}

/** The row's most frequent action and the menu with all of them. */
function Buttons({ row, active, actions, title }: PartProps) {
  const { t } = useTranslation();
  const hasSwitch = useContext(HasQuestionSwitch);
  const tabIndex = active ? 0 : -1;
  return (
    <span className={classes.buttons}>
      {row.kind === "page" ? (
        <IconButton
          className={classes.button}
          aria-label={t(row.page.published ? "outline.hideNow" : "outline.publishNow", { title })}
          aria-pressed={row.page.published}
          tabIndex={tabIndex}
          onClick={() => actions.publish([row.id], !row.page.published)}
        >
          {row.page.published ? <IconEye size={18} /> : <IconEyeOff size={18} />}
        </IconButton>
      ) : (
        <IconButton
          className={classes.button}
          aria-label={t(row.kind === "module" ? "outline.addLessonTo" : "outline.addPageTo", { title })}
          tabIndex={tabIndex}
          onClick={() => actions.addInside(row.id)}
        >
          <IconPlus size={18} />
        </IconButton>
      )}
      <Menu
        label={t("outline.actions", { title })}
        items={() => rowMenu(row, t, actions, hasSwitch)}
        className={classes.button}
        tabIndex={tabIndex}
      />
    </span>
  );
}

/** The names of page kinds in the texts. */
const NAMES = { CONTENT: "page", QUIZ: "quiz", ASSIGNMENT: "assignment" } as const;

/** What a screen reader says of the row. */
function label(row: ItemRowOf, title: string, isChanged: boolean, t: TFunction): string {
  if (row.kind === "module")
    return `${t("outline.named.module", { title })}, ${t("outline.lessons", { count: row.module.lessons.length })}`;
  if (row.kind === "lesson")
    return `${t("outline.named.lesson", { title })}, ${t("common.pages", { count: row.lesson.pages.length })}`;
  const named = t(`outline.named.${NAMES[row.page.kind]}`, { title });
  if (!row.page.published) return `${named}, ${t("outline.isDraft")}`;
  return `${named}, ${t("outline.isPublished")}${isChanged ? `, ${t("unpublished.list.isChanged")}` : ""}`;
}
