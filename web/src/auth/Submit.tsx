import type { ReactNode } from "react";
import { Button } from "../ui/Button";
import classes from "./forms.module.css";
import { keepFocus } from "./keepFocus";

/** The submit button of a public form; it shows a spinner while the form is submitting. */
export function Submit({ busy, children }: { busy: boolean; children: ReactNode }) {
  return (
    <Button
      type="submit"
      className={classes.submit}
      onMouseDown={keepFocus}
      size="md"
      fullWidth
      loading={busy}
    >
      {children}
    </Button>
  );
}
