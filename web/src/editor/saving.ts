/**
 * Autosave as a pure state machine: what the server is known to hold, what waits to be sent, what is being sent, and what to do next. It
 * has no clock, network or editor, so tests can run every order of events. It guarantees that a text given to it is acknowledged, in
 * flight, pending, submitted, or discarded by the author's explicit choice.
 */

/** A save starts this long after the last change, so that one save carries a whole word. */
export const QUIET_MS = 1000;
/** During uninterrupted typing a save starts at least this often. */
export const MOST_MS = 5000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/** The page on the server after another editor's save. */
interface Stored<T> {
  version: number;
  text: T;
}

/** The server's reason to reject a save. */
interface Refusal {
  message: string;
  /** Path to the rejected value, such as `content.content[3].attrs.src`; null when the server named none. */
  path: string | null;
}

export type Problem<T> =
  /** The server did not answer; the save is retried automatically. */
  | { kind: "unreachable"; attempts: number }
  /** The server rejected this text; the next change is sent again. */
  | { kind: "refused"; refusal: Refusal }
  /** Another editor saved first; the author chooses between the two texts. */
  | { kind: "conflict"; stored: Stored<T> }
  /** The session ended; nothing can be sent. */
  | { kind: "ended" };

export interface Saving<T> {
  /** The server version that the text here is based on. */
  version: number;
  /** The latest server text that this text is based on; null if unknown. */
  base: T | null;
  /** The text that the server holds now; null when unknown, such as after an unanswered save. */
  stored: T | null;
  /** The newest text that is not being sent. */
  pending: T | null;
  /** Time of the oldest change in `pending`, in milliseconds. */
  pendingSince: number;
  /** The text being sent; at most one request runs at a time. */
  inFlight: T | null;
  /** Send `pending` as soon as the current request is answered. */
  sendNext: boolean;
  problem: Problem<T> | null;
}

export type Event<T> =
  | { type: "changed"; text: T; at: number }
  /** The quiet period is over, or the author left the field, the window or the page. */
  | { type: "due" }
  | { type: "saved"; version: number }
  | { type: "unanswered" }
  | { type: "refused"; refusal: Refusal }
  /** `base` is an earlier text whose answer was lost, but which the server stored; null if it is unknown whether it stored one. */
  | { type: "conflicted"; stored: Stored<T>; base?: T | null }
  | { type: "signedOut" }
  /** The network is back, or the retry delay is over. */
  | { type: "reachable" }
  /** The author's choice in a conflict. */
  | { type: "keepMine" }
  | { type: "takeStored" }
  /** In a conflict: a text that holds the changes of both sides, or those that the author chose. */
  | { type: "merged"; text: T }
  /** The editor now shows a text from the server, such as a restored version. */
  | { type: "replaced"; version: number; text: T }
  /** What was written is not to be saved any more: it was submitted, and the server holds this text instead. */
  | { type: "dropped"; version: number; text: T };

type Effect<T> =
  | { type: "send"; text: T; version: number }
  /** Dispatch `due` at this time; replaces an earlier `wait`. */
  | { type: "wait"; until: number }
  | { type: "retry"; after: number };

export interface Step<T> {
  state: Saving<T>;
  effects: Effect<T>[];
}

/** The state of a page just read; `stored` is its text. */
export function begin<T>(version: number, stored: T | null = null): Saving<T> {
  return {
    version,
    base: stored,
    stored,
    pending: null,
    pendingSince: 0,
    inFlight: null,
    sendNext: false,
    problem: null,
  };
}

/** Whether the server has acknowledged everything the author wrote. */
export function isSettled<T>(state: Saving<T>): boolean {
  return state.pending === null && state.inFlight === null;
}

/** The newest text that the server has not acknowledged. */
export function unsaved<T>(state: Saving<T>): T | null {
  return state.pending ?? state.inFlight;
}

export type SaveStatus = "saved" | "saving" | "offline" | "refused" | "conflict" | "ended";

/** The status that the screen shows. */
export function statusOf<T>(state: Saving<T>): SaveStatus {
  switch (state.problem?.kind) {
    case "unreachable":
      return "offline";
    case "refused":
    case "conflict":
    case "ended":
      return state.problem.kind;
    default:
      return isSettled(state) ? "saved" : "saving";
  }
}

export function step<T>(state: Saving<T>, event: Event<T>): Step<T> {
  switch (event.type) {
    case "changed": {
      const pendingSince = state.pending === null ? event.at : state.pendingSince;
      // The change may have fixed a refused text.
      const problem = state.problem?.kind === "refused" ? null : state.problem;
      const next = { ...state, pending: event.text, pendingSince, problem };
      if (state.inFlight !== null || problem) return stay(next);
      return { state: next, effects: [wait(event.at, pendingSince)] };
    }
    case "due":
      if (state.pending === null) return stay(state);
      if (state.inFlight !== null) return stay({ ...state, sendNext: true });
      return !state.problem || state.problem.kind === "unreachable" ? send(state) : stay(state);
    case "saved": {
      if (state.inFlight === null) return stay(state);
      const { version } = event;
      const next = {
        ...state,
        version,
        base: state.inFlight,
        stored: state.inFlight,
        inFlight: null,
        sendNext: false,
        problem: null,
      };
      if (next.pending === null) return stay(next);
      if (state.sendNext) return send(next);
      return { state: next, effects: [wait(next.pendingSince, next.pendingSince)] };
    }
    case "unanswered": {
      if (state.inFlight === null) return stay(state);
      const attempts = state.problem?.kind === "unreachable" ? state.problem.attempts + 1 : 1;
      const after = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS);
      const next = backToPending(state, { kind: "unreachable", attempts });
      // The server may have stored the text although its answer was lost.
      return { state: { ...next, stored: null }, effects: [{ type: "retry", after }] };
    }
    case "refused": {
      if (state.inFlight === null) return stay(state);
      // A newer text has not been refused yet.
      if (state.pending !== null) {
        const next = backToPending(state, null);
        return { state: next, effects: [wait(next.pendingSince, next.pendingSince)] };
      }
      return stay(backToPending(state, { kind: "refused", refusal: event.refusal }));
    }
    case "conflicted":
      if (state.inFlight === null) return stay(state);
      return stay({
        ...backToPending(state, { kind: "conflict", stored: event.stored }),
        base: event.base === undefined ? state.base : event.base,
        stored: null,
      });
    case "signedOut":
      return stay(backToPending(state, { kind: "ended" }));
    case "reachable":
      return state.problem?.kind === "unreachable" && state.inFlight === null && state.pending !== null
        ? send(state)
        : stay(state);
    case "keepMine":
      if (state.problem?.kind !== "conflict") return stay(state);
      return send({
        ...state,
        version: state.problem.stored.version,
        base: state.problem.stored.text,
        problem: null,
      });
    case "merged":
      if (state.problem?.kind !== "conflict") return stay(state);
      return send({
        ...begin(state.problem.stored.version, state.problem.stored.text),
        pending: event.text,
      });
    case "takeStored":
      if (state.problem?.kind !== "conflict") return stay(state);
      return stay(begin(state.problem.stored.version, state.problem.stored.text));
    case "replaced":
      // Never discard unsaved text implicitly.
      return isSettled(state) ? stay(begin(event.version, event.text)) : stay(state);
    case "dropped":
      return stay(begin(event.version, event.text));
  }
}

function stay<T>(state: Saving<T>): Step<T> {
  return { state, effects: [] };
}

function wait<T>(from: number, since: number): Effect<T> {
  return { type: "wait", until: Math.min(from + QUIET_MS, since + MOST_MS) };
}

function send<T>(state: Saving<T>): Step<T> {
  const { pending, version } = state;
  if (pending === null) return stay(state);
  return {
    state: { ...state, pending: null, inFlight: pending, sendNext: false },
    effects: [{ type: "send", text: pending, version }],
  };
}

/** The text in flight becomes pending again, unless a newer one is pending. */
function backToPending<T>(state: Saving<T>, problem: Problem<T> | null): Saving<T> {
  return { ...state, pending: state.pending ?? state.inFlight, inFlight: null, sendNext: false, problem };
}
