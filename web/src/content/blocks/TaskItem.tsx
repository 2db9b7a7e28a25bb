import { type ReactNode, useId } from "react";
import styles from "../Document.module.css";

interface TaskItemProps {
  checked: boolean;
  children: ReactNode;
}

/** An item of a task list. The author's checkmark is read-only for learners. */
export function TaskItem({ checked, children }: TaskItemProps) {
  const textId = useId();
  return (
    <li>
      <input
        type="checkbox"
        checked={checked}
        disabled
        readOnly
        aria-labelledby={textId}
        className={styles.taskBox}
      />
      <div id={textId}>{children}</div>
    </li>
  );
}
