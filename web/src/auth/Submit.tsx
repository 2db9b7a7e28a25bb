import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./forms.module.css";
import { keepFocus } from "./keepFocus";

/** The one button of a form out here, which shows that it is at work. */
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
