import type { ReactNode } from "react";
import { IconTrash } from "./authorIcons";
import { Button } from "./Button";
import { IconButton } from "./IconButton";
import { IconClose } from "./icons";
import classes from "./SelectionBar.module.css";

interface Props {
  label: string;
  /** How many are selected, as a sentence. */
  count: string;
  /** The actions other than to delete. */
  children: ReactNode;
  deleteLabel: string;
  onDelete: () => void;
  clearLabel: string;
  onClear: () => void;
}

/** Actions on a selection, at the bottom edge of the window. */
export function SelectionBar({ label, count, children, deleteLabel, onDelete, clearLabel, onClear }: Props) {
  return (
    <section className={classes.bar} aria-label={label}>
      <p className={classes.count} role="status">
        {count}
      </p>
      <div className={classes.buttons}>
        {children}
        <Button variant="subtle" className={classes.danger} icon={<IconTrash size={18} />} onClick={onDelete}>
          {deleteLabel}
        </Button>
        <IconButton className={classes.close} aria-label={clearLabel} onClick={onClear}>
          <IconClose size={18} />
        </IconButton>
      </div>
    </section>
  );
}
