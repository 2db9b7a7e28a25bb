import { i18n } from "../i18n";
import { toastFailure } from "../ui/toasts";
import { offerUndo } from "../ui/undo";

/** Tells that dates are saved; «Отменить» makes the call that restores the earlier ones. Returns the id of the toast. */
export function toastSaved(undo: () => Promise<unknown>, text = i18n.t("dates.saved")): number {
  return offerUndo(text, () => void undo().catch(toastFailure));
}
