import { ApiError } from "../api/apiError";
import { i18n } from "../i18n";

export interface Toast {
  id: number;
  kind: "success" | "failure";
  title: string;
  text: string;
  /** An action button. The toast stays longer with it and closes when it is clicked. */
  action?: { label: string; run: () => void };
  /** Called when the toast disappears without its action: after its time, or closed. */
  onGone?: () => void;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast and returns its id for `dismiss`. */
export function showToast(toast: Omit<Toast, "id">): number {
  lastId += 1;
  publish([...toasts, { ...toast, id: lastId }]);
  return lastId;
}

function take(id: number): Toast | undefined {
  const toast = toasts.find((one) => one.id === id);
  if (toast) publish(toasts.filter((one) => one !== toast));
  return toast;
}

/** The store of visible toasts; `Toaster` renders it. */
export const toastStore = {
  get: () => toasts,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  dismiss: (id: number) => take(id)?.onGone?.(),
  act: (id: number) => take(id)?.action?.run(),
};

export function toastSuccess(text: string) {
  showToast({ kind: "success", title: i18n.t("errors.toastSuccess"), text });
}

/** Shows a failed call as a toast: the server's `detail`, or a network error. Ignores cancelled calls. */
export function toastFailure(error: unknown) {
  const failure = ApiError.from(error);
  if (failure.isAborted) return;
  showToast({ kind: "failure", title: i18n.t("errors.toastFailure"), text: failureText(failure) });
}

export function failureText(error: unknown): string {
  const failure = ApiError.from(error);
  if (failure.isUnreachable) {
    return i18n.t(navigator.onLine ? "errors.unreachableTitle" : "errors.offlineTitle");
  }
  return failure.detail ?? i18n.t("errors.unknown");
}
