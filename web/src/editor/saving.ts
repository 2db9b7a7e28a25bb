/**
 * Autosave as a pure machine: what is known of the server, what waits, what is on its way, and what to do next. It knows no
 * clock, no network and no editor, so every order of events can be tried in a test. Its one promise: a text that was given to it
 * is acknowledged, on its way, waiting, or was given up by the author's own choice; it is never lost.
 */

/** After the last change a save waits this long, so that a word is not sent letter by letter. */
export const QUIET_MS = 1000;
/** Who types without a pause is saved this often all the same. */
export const MOST_MS = 5000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/** The page as the server holds it after somebody else's save. */
export interface Stored<T> {
  version: number;
  text: T;
}

/** Why a save was not taken. */
export interface Refusal {
  message: string;
  /** The way inside the text, as `content.content[3].attrs.src`, when the server named one. */
  path: string | null;
}

export type Trouble<T> =
  /** No answer came; tried again by itself. */
  | { kind: "unreachable"; attempts: number }
  /** The server will not take this text; the next change is tried. */
  | { kind: "refused"; refusal: Refusal }
  /** Somebody else has saved; the author chooses. */
  | { kind: "conflict"; stored: Stored<T> }
  /** Signed out: nothing can be sent. */
  | { kind: "ended" };

export interface Saving<T> {
  /** The version on the server that the text here is a change of. */
  version: number;
  /** The newest text that is not on its way. */
  waiting: T | null;
  /** When the oldest change of `waiting` was made, in milliseconds. */
  waitingSince: number;
  /** On its way to the server: never more than one. */
  inFlight: T | null;
  /** Send what waits as soon as the answer is here. */
  hurry: boolean;
  trouble: Trouble<T> | null;
}

export type Event<T> =
  | { type: "changed"; text: T; at: number }
  /** The pause is over, or the author left the field, the window or the page. */
  | { type: "due" }
  | { type: "saved"; version: number }
  | { type: "unanswered" }
  | { type: "refused"; refusal: Refusal }
  | { type: "conflicted"; stored: Stored<T> }
  | { type: "signedOut" }
  /** The network is back, or the time to try again has come. */
  | { type: "reachable" }
  /** The author's choice in a conflict. */
  | { type: "keepMine" }
  | { type: "takeStored" }
  /** The server's text was put into the editor, as by restoring a version. */
  | { type: "replaced"; version: number };

export type Effect<T> =
  | { type: "send"; text: T; version: number }
  /** Say `due` at this moment, instead of any earlier arrangement. */
  | { type: "wait"; until: number }
  | { type: "retry"; after: number };

export interface Step<T> {
  state: Saving<T>;
  effects: Effect<T>[];
}

export function begin<T>(version: number): Saving<T> {
  return { version, waiting: null, waitingSince: 0, inFlight: null, hurry: false, trouble: null };
}

/** Everything the author wrote is on the server. */
export function isSettled<T>(state: Saving<T>): boolean {
  return state.waiting === null && state.inFlight === null;
}

/** The newest text that the server has not acknowledged. */
export function unsaved<T>(state: Saving<T>): T | null {
  return state.waiting ?? state.inFlight;
}

export type Standing = "saved" | "saving" | "offline" | "refused" | "conflict" | "ended";

/** What the author is told. */
export function standing<T>(state: Saving<T>): Standing {
  switch (state.trouble?.kind) {
    case "unreachable":
      return "offline";
    case "refused":
    case "conflict":
    case "ended":
      return state.trouble.kind;
    default:
      return isSettled(state) ? "saved" : "saving";
  }
}

export function step<T>(state: Saving<T>, event: Event<T>): Step<T> {
  switch (event.type) {
    case "changed": {
      const waitingSince = state.waiting === null ? event.at : state.waitingSince;
      // A refused text was changed: perhaps it is right now.
      const trouble = state.trouble?.kind === "refused" ? null : state.trouble;
      const next = { ...state, waiting: event.text, waitingSince, trouble };
      if (state.inFlight !== null || trouble) return stay(next);
      return { state: next, effects: [wait(event.at, waitingSince)] };
    }
    case "due":
      if (state.waiting === null) return stay(state);
      if (state.inFlight !== null) return stay({ ...state, hurry: true });
      return state.trouble && state.trouble.kind !== "unreachable" ? stay(state) : send(state);
    case "saved": {
      if (state.inFlight === null) return stay(state);
      const next = { ...state, version: event.version, inFlight: null, hurry: false, trouble: null };
      if (next.waiting === null) return stay(next);
      if (state.hurry) return send(next);
      return { state: next, effects: [wait(next.waitingSince, next.waitingSince)] };
    }
    case "unanswered": {
      if (state.inFlight === null) return stay(state);
      const attempts = state.trouble?.kind === "unreachable" ? state.trouble.attempts + 1 : 1;
      const after = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS);
      return {
        state: backToWaiting(state, { kind: "unreachable", attempts }),
        effects: [{ type: "retry", after }],
      };
    }
    case "refused": {
      if (state.inFlight === null) return stay(state);
      // What was written meanwhile has not been refused yet.
      if (state.waiting !== null) {
        const next = backToWaiting(state, null);
        return { state: next, effects: [wait(next.waitingSince, next.waitingSince)] };
      }
      return stay(backToWaiting(state, { kind: "refused", refusal: event.refusal }));
    }
    case "conflicted":
      if (state.inFlight === null) return stay(state);
      return stay(backToWaiting(state, { kind: "conflict", stored: event.stored }));
    case "signedOut":
      return stay(backToWaiting(state, { kind: "ended" }));
    case "reachable":
      return state.trouble?.kind === "unreachable" && state.inFlight === null && state.waiting !== null
        ? send(state)
        : stay(state);
    case "keepMine":
      if (state.trouble?.kind !== "conflict") return stay(state);
      return send({ ...state, version: state.trouble.stored.version, trouble: null });
    case "takeStored":
      if (state.trouble?.kind !== "conflict") return stay(state);
      return stay({ ...begin<T>(state.trouble.stored.version) });
    case "replaced":
      // Only a settled page is replaced; an author's text is not given up by the way.
      return isSettled(state) ? stay(begin<T>(event.version)) : stay(state);
  }
}

function stay<T>(state: Saving<T>): Step<T> {
  return { state, effects: [] };
}

function wait<T>(from: number, since: number): Effect<T> {
  return { type: "wait", until: Math.min(from + QUIET_MS, since + MOST_MS) };
}

function send<T>(state: Saving<T>): Step<T> {
  const { waiting, version } = state;
  if (waiting === null) return stay(state);
  return {
    state: { ...state, waiting: null, inFlight: waiting, hurry: false },
    effects: [{ type: "send", text: waiting, version }],
  };
}

/** What was on its way waits again, unless something newer does. */
function backToWaiting<T>(state: Saving<T>, trouble: Trouble<T> | null): Saving<T> {
  return { ...state, waiting: state.waiting ?? state.inFlight, inFlight: null, hurry: false, trouble };
}
