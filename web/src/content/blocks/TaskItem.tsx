import { type ReactNode, useId } from "react";
import styles from "../Document.module.css";

interface TaskItemProps {
  checked: boolean;
  children: ReactNode;
}

/** The author's tick, not the reader's: the checkbox can be seen and heard, not changed. */
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
