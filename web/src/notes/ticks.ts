import type { ApolloClient } from "@apollo/client";
import { createStore } from "@tanstack/react-store";
import { ApiError } from "../api/apiError";
import { onSessionEnd } from "../api/session";
import { readAgain } from "../reading/readAgain";
import { forgetJson, forgetOldest, isObject, keepJson, keysWith, readJson } from "../ui/localJson";
import { toastFailure } from "../ui/toasts";
import { TickTaskDocument } from "./Notes.generated";

export interface Tick {
  pageId: string;
  /** The version of the text in which the task is an index. */
  version: number;
  task: number;
  isTicked: boolean;
}

/** Ticks are kept on this device until the server has them. */
const PREFIX = "unsent-tick:";
/** Limit on kept ticks; the oldest are deleted. */
const KEPT = 200;
/** After this time without an answer, the ticks are sent again. */
const RETRY_MS = 20_000;

/** Ticks that the server does not have yet, by page, version and task. Those of the person who is signed in. */
export const unsentTicks = createStore<ReadonlyMap<string, Tick>>(new Map());

/** Whose ticks are in the store, and how they are sent. */
let sender: { client: ApolloClient; userId: string } | null = null;
let isSending = false;
let timer: ReturnType<typeof setTimeout> | undefined;

onSessionEnd(() => {
  sender = null;
  clearTimeout(timer);
  unsentTicks.setState(() => new Map());
});

export const tickKey = ({ pageId, version, task }: Omit<Tick, "isTicked">) => `${pageId}:${version}:${task}`;

const prefixOf = (userId: string) => `${PREFIX}${userId}:`;

/** The tasks of a page that are shown as ticked: those of the server, and what it does not know yet. */
export function shownTicks(
  { id, version }: { id: string; version: number },
  stored: readonly number[],
  unsent: ReadonlyMap<string, Tick>,
): ReadonlySet<number> {
  const shown = new Set(stored);
  for (const tick of unsent.values()) {
    if (tick.pageId !== id || tick.version !== version) continue;
    if (tick.isTicked) shown.add(tick.task);
    else shown.delete(tick.task);
  }
  return shown;
}

/** Sends the ticks that are left on this device from before. */
export function sendLeftTicks(client: ApolloClient, userId: string): void {
  if (sender?.userId !== userId) unsentTicks.setState(() => storedTicks(userId));
  sender = { client, userId };
  void sendTicks();
}

/** Ticks a task or takes the tick back. It is shown at once, and kept until the server has it. */
export function tickTask(client: ApolloClient, userId: string, tick: Tick): void {
  sender = { client, userId };
  unsentTicks.setState((all) => {
    const next = new Map(all);
    // A later tick of the same task is sent last.
    next.delete(tickKey(tick));
    return next.set(tickKey(tick), tick);
  });
  keepJson(prefixOf(userId) + tickKey(tick), { ...tick, savedAt: Date.now() });
  forgetOldest(prefixOf(userId), KEPT, "savedAt");
  void sendTicks();
}

/** Sends the ticks one after another, so that the last one of a task arrives last. What is refused is taken back. */
async function sendTicks(): Promise<void> {
  if (isSending) return;
  isSending = true;
  clearTimeout(timer);
  try {
    for (let tick = first(); sender && tick; tick = first()) {
      const { client, userId } = sender;
      try {
        // What is shown comes from the store until the answer is there.
        await client.mutate({
          mutation: TickTaskDocument,
          variables: { input: tick },
          context: { fetchOptions: { keepalive: true } },
        });
      } catch (failure) {
        const { isUnreachable, isAborted, status } = ApiError.from(failure);
        if (isUnreachable || isAborted || status === 401 || status === 429 || status >= 500) {
          timer = setTimeout(() => void sendTicks(), RETRY_MS);
          return;
        }
        toastFailure(failure);
        // The page may have been changed. Then its text is shown as it is now.
        if (status === 409) readAgain(client, tick.pageId).catch(() => {});
      }
      forget(userId, tick);
    }
  } finally {
    isSending = false;
  }
}

const first = () => unsentTicks.get().values().next().value;

function forget(userId: string, tick: Tick) {
  // A later tick of the same task waits for its own answer.
  if (unsentTicks.get().get(tickKey(tick)) !== tick) return;
  unsentTicks.setState((all) => new Map([...all].filter(([, one]) => one !== tick)));
  forgetJson(prefixOf(userId) + tickKey(tick));
}

function storedTicks(userId: string): ReadonlyMap<string, Tick> {
  const ticks = keysWith(prefixOf(userId)).flatMap((key) => tickOf(readJson(key)) ?? []);
  return new Map(ticks.map((tick) => [tickKey(tick), tick]));
}

function tickOf(value: unknown): Tick | null {
  if (!isObject(value)) return null;
  const { pageId, version, task, isTicked } = value;
  if (typeof pageId !== "string" || typeof version !== "number") return null;
  if (typeof task !== "number" || typeof isTicked !== "boolean") return null;
  return { pageId, version, task, isTicked };
}

window.addEventListener("online", () => void sendTicks());

// Another tab has ticked a task, or its tick has arrived.
window.addEventListener("storage", ({ key, newValue }) => {
  if (!sender || !key?.startsWith(prefixOf(sender.userId))) return;
  const tick = newValue === null ? null : tickOf(readJson(key));
  const name = key.slice(prefixOf(sender.userId).length);
  unsentTicks.setState((all) => {
    const next = new Map([...all].filter(([one]) => one !== name));
    return tick ? next.set(name, tick) : next;
  });
});
