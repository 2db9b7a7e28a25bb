import { i18n } from "../i18n";
import { showToast, toastFailure } from "../ui/toasts";

/** Tells that dates are saved; «Отменить» makes the call that restores the earlier ones. Returns the id of the toast. */
export function toastSaved(undo: () => Promise<unknown>, text = i18n.t("dates.saved")): number {
  return showToast({
    kind: "success",
    title: i18n.t("errors.toastSuccess"),
    text,
    action: { label: i18n.t("ui.undo"), run: () => void undo().catch(toastFailure) },
  });
}
