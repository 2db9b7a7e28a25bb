import type { ReactNode } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { IconUpDown } from "../ui/icons";
import { useMenu } from "../ui/Menu";
import classes from "./Groups.module.css";
import type { Group } from "./useGroups";

interface Props {
  label: string;
  groups: readonly Group[];
  /** Moves to a group, or out of it for null. */
  onMove: (group: Group | null) => void;
  children: ReactNode;
}

/** The button with the menu of groups to move students to. */
export function MoveMenu({ label, groups, onMove, children }: Props) {
  const { t } = useTranslation();
  const { button, menu } = useMenu({
    label,
    align: "start",
    maxHeight: "20rem",
    items: () => [
      ...groups.map((group) => ({ label: group.title, onSelect: () => onMove(group) })),
      { label: t("students.groups.without"), apart: true, onSelect: () => onMove(null) },
    ],
  });
  return (
    <>
      <button {...button} className={classes.move} aria-label={label}>
        {children}
        <IconUpDown size={14} />
      </button>
      {menu}
    </>
  );
}
