/** Calls `task` once when the browser is idle, at the latest after half a second. Returns a function that cancels the call. */
export function whenIdle(task: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(task, 16);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(task, { timeout: 500 });
  return () => cancelIdleCallback(handle);
}
