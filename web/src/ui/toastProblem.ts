import { i18n } from "../i18n";
import { showToast } from "./toasts";

/** Shows a failure toast with a text of the app. `toastFailure` shows the message of the server. */
export function toastProblem(text: string) {
  showToast({ kind: "failure", title: i18n.t("errors.toastFailure"), text });
}
