import { i18n } from "../i18n";
import { showToast } from "./toasts";

/** Shows a toast about something that could not be done, in words of the app. `toastFailure` shows what the server said. */
export function toastProblem(text: string) {
  showToast({ kind: "failure", title: i18n.t("errors.toastFailure"), text });
}
