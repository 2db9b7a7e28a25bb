import { createStore } from "@tanstack/react-store";
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

/** The visible toasts; `Toaster` renders them. */
export const toastStore = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Shows a toast and returns its id for `dismissToast`. */
export function showToast(toast: Omit<Toast, "id">): number {
  lastId += 1;
  const shown = { ...toast, id: lastId };
  toastStore.setState((toasts) => [...toasts, shown]);
  return lastId;
}

/** Removes a toast without its action. */
export function dismissToast(id: number) {
  take(id)?.onGone?.();
}

/** Removes a toast and runs its action. */
export function runToastAction(id: number) {
  take(id)?.action?.run();
}

function take(id: number): Toast | undefined {
  const toast = toastStore.get().find((one) => one.id === id);
  if (toast) toastStore.setState((toasts) => toasts.filter((one) => one !== toast));
  return toast;
}

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
