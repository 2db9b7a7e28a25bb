import type { ApolloClient } from "@apollo/client";
import { createStore } from "@tanstack/react-store";
import { ApiError } from "../api/apiError";
import { onSessionEnd } from "../api/session";
import { toastFailure } from "../ui/toasts";
import { type Tick, tickTask } from "./actions";

/** Ticks that the server does not have yet, by page and task. They are sent again when the network is back, and dropped with the session. */
export const unsentTicks = createStore<ReadonlyMap<string, Tick>>(new Map());

onSessionEnd(() => unsentTicks.setState(() => new Map()));

export const tickKey = (pageId: string, task: number) => `${pageId}:${task}`;

function keep(tick: Tick, isUnsent: boolean) {
  unsentTicks.setState((all) => {
    const next = new Map(all);
    if (isUnsent) next.set(tickKey(tick.pageId, tick.task), tick);
    // A later tick of the same task waits for its own answer.
    else if (next.get(tickKey(tick.pageId, tick.task)) === tick) next.delete(tickKey(tick.pageId, tick.task));
    return next;
  });
}

/** The tasks of a page that are shown as ticked: those of the server, and what it does not know yet. */
export function shownTicks(
  pageId: string,
  stored: readonly number[],
  unsent: ReadonlyMap<string, Tick>,
): ReadonlySet<number> {
  const shown = new Set(stored);
  for (const tick of unsent.values()) {
    if (tick.pageId !== pageId) continue;
    if (tick.isTicked) shown.add(tick.task);
    else shown.delete(tick.task);
  }
  return shown;
}

/** Sends a tick. Without a network it waits; when it is refused, the tick is taken back. */
export async function sendTick(client: ApolloClient, tick: Tick, ticked: readonly number[]): Promise<void> {
  keep(tick, true);
  try {
    await tickTask(client, tick, ticked);
    keep(tick, false);
  } catch (failure) {
    const error = ApiError.from(failure);
    if (error.isUnreachable) {
      window.addEventListener("online", () => void sendAgain(client, tick), { once: true });
      return;
    }
    keep(tick, false);
    toastFailure(failure);
  }
}

async function sendAgain(client: ApolloClient, tick: Tick): Promise<void> {
  if (unsentTicks.get().get(tickKey(tick.pageId, tick.task)) === tick) await sendTick(client, tick, []);
}
