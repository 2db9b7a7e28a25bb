import type { FieldError } from "react-hook-form";
import classes from "./forms.module.css";

/** Why the server refused the form. The toast announces it as well, so this is no alert, and stays until the next attempt. */
export function Refusal({ error }: { error: Pick<FieldError, "message"> | undefined }) {
  return error?.message ? <p className={classes.refusal}>{error.message}</p> : null;
}
