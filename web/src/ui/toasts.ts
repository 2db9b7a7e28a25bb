import { ApiError } from "../api/apiError";
import { i18n } from "../i18n";

export interface Toast {
  id: number;
  kind: "success" | "failure";
  title: string;
  text: string;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

function show(kind: Toast["kind"], title: string, text: string) {
  lastId += 1;
  publish([...toasts, { id: lastId, kind, title, text }]);
}

/** What is on the screen now; `Toaster` shows it. */
export const toastStore = {
  get: () => toasts,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  dismiss: (id: number) => publish(toasts.filter((toast) => toast.id !== id)),
};

export function toastSuccess(text: string) {
  show("success", i18n.t("errors.toastSuccess"), text);
}

/** A failed call in words: the server's `detail`, or what keeps us from reaching it. A cancelled call is no failure. */
export function toastFailure(error: unknown) {
  const failure = ApiError.from(error);
  if (failure.isAborted) return;
  show("failure", i18n.t("errors.toastFailure"), failureText(failure));
}

function failureText(failure: ApiError): string {
  if (failure.isUnreachable) {
    return i18n.t(navigator.onLine ? "errors.unreachableTitle" : "errors.offlineTitle");
  }
  return failure.detail ?? i18n.t("errors.unknown");
}
