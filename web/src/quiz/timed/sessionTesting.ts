import { afterEach, beforeEach, vi } from "vitest";
import type { Question } from "../model";
import { AttemptTimes } from "../time/AttemptTimes";
import { AttemptSession } from "./AttemptSession";
import { loadCopy } from "./copy";
import { FakeServer, running, shown } from "./testing";

const sessions: AttemptSession[] = [];

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.leave();
  vi.useRealTimers();
});

export const wait = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
export const seconds = (count: number) => wait(count * 1000);

/** A session on the attempt of a server; each test has its own ticket clock, because time only goes on in a file of tests. */
export function open(
  server: FakeServer,
  over: Parameters<typeof running>[0] = {},
  questions: readonly Question[] = shown,
) {
  const onEnd = vi.fn();
  const session = new AttemptSession({
    page: server.page(),
    running: running({
      ticket: server.ticket,
      durationSeconds: server.duration,
      elapsedSeconds: server.elapsed(),
      ...over,
    }),
    questions,
    userId: "me",
    times: new AttemptTimes({ userId: "me", pageId: "p", attempt: server.ticket }),
    server,
  });
  session.open(onEnd);
  sessions.push(session);
  return { session, onEnd };
}

/** A server whose ticket no other test has used. */
let tickets = 0;
export class Server extends FakeServer {
  readonly own: string;

  constructor() {
    super();
    tickets += 1;
    this.own = `own${tickets}`;
    this.ticket = this.own;
  }

  override page() {
    const page = super.page();
    const isRunning = !this.isDeleted && (this.attempt === null || this.ticket !== this.own);
    return { ...page, runningAttempt: isRunning ? page.runningAttempt : null };
  }
}

export const copyOf = ({ ticket }: FakeServer) => loadCopy({ userId: "me", pageId: "p", ticket });
export const kept = (server: FakeServer) => Object.keys(copyOf(server)?.unsent ?? {});
export const answers = (server: FakeServer) =>
  Object.fromEntries([...server.stored].map(([id, { answer }]) => [id, answer]));
