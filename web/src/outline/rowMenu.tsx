import type { TFunction } from "i18next";
import { IconComment } from "../comments/IconComment";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { IconEyeOff } from "../ui/IconEyeOff";
import { IconAssignment, IconCheck, IconCopy, IconEye, IconPlus, IconQuiz, IconUpDown } from "../ui/icons";
import { IconDown, IconImage, IconLock, IconPage, IconUp } from "../ui/laterIcons";
import type { MenuItem } from "../ui/Menu";
import { IconCalendar } from "../ui/timeIcons";
import type { OutlineActions } from "./actions";
import type { ItemRow } from "./rows";

/** Every action on one row, including those that also have a key or a drag gesture. */
export function rowMenu(
  row: ItemRow,
  t: TFunction,
  actions: OutlineActions,
  hasQuestionSwitch: boolean,
): MenuItem[] {
  const { id } = row;
  const pages =
    row.kind === "page"
      ? [row.page]
      : row.kind === "lesson"
        ? row.lesson.pages
        : row.module.lessons.flatMap((lesson) => lesson.pages);
  const item = (
    key: Exclude<keyof typeof import("../i18n/ru/outline").outline.menu, never>,
    icon: MenuItem["icon"],
    onSelect: () => void,
    more: Partial<MenuItem> = {},
  ): MenuItem => ({ label: t(`outline.menu.${key}`), icon, onSelect, ...more });
  const publishing = (): MenuItem[] => {
    const single = row.kind === "page";
    const hidden = pages.some((page) => !page.published);
    const shown = pages.some((page) => page.published);
    return [
      ...(hidden
        ? [item(single ? "publish" : "publishAll", <IconEye size={18} />, () => actions.publish([id], true))]
        : []),
      ...(shown
        ? [item(single ? "hide" : "hideAll", <IconEyeOff size={18} />, () => actions.publish([id], false))]
        : []),
    ];
  };
  return [
    ...(row.kind === "page" ? [item("open", <IconPage size={18} />, () => actions.open(id))] : []),
    item("rename", <IconPencil size={18} />, () => actions.edit(id), { keys: "F2" }),
    ...(row.kind === "module"
      ? [item("picture", <IconImage size={18} />, () => actions.openDialog({ kind: "module", id }))]
      : []),
    ...(row.kind === "module"
      ? [item("addModule", <IconPlus size={18} />, () => actions.addBelow(id), { apart: true })]
      : row.kind === "lesson"
        ? [item("addLesson", <IconPlus size={18} />, () => actions.addBelow(id), { apart: true })]
        : [
            item("addPage", <IconPlus size={18} />, () => actions.addBelow(id, "page"), { apart: true }),
            item("addQuiz", <IconQuiz size={18} />, () => actions.addBelow(id, "quiz")),
            item("addAssignment", <IconAssignment size={18} />, () => actions.addBelow(id, "assignment")),
          ]),
    item("select", <IconCheck size={18} />, () => actions.select(id, "toggle")),
    item("duplicate", <IconCopy size={18} />, () => actions.duplicate(id)),
    item("dates", <IconCalendar size={18} />, () => actions.openDialog({ kind: "dates", id })),
    ...(row.kind === "page"
      ? hasQuestionSwitch
        ? [item("questions", <IconComment size={18} />, () => actions.openDialog({ kind: "questions", id }))]
        : []
      : [item("needs", <IconLock size={18} />, () => actions.openDialog({ kind: "prerequisites", id }))]),
    ...publishing(),
    item("up", <IconUp size={18} />, () => actions.step(id, -1), { keys: "Alt+↑", apart: true }),
    item("down", <IconDown size={18} />, () => actions.step(id, 1), { keys: "Alt+↓" }),
    item("moveTo", <IconUpDown size={18} />, () => actions.openDialog({ kind: "move", ids: [id] })),
    item("delete", <IconTrash size={18} />, () => actions.remove([id]), {
      keys: "Delete",
      danger: true,
      apart: true,
    }),
  ];
}
