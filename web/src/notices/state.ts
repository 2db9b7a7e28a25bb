import { createStore } from "@tanstack/react-store";
import { onSessionEnd } from "../api/session";
import type { Notice } from "./grouping";

interface State {
  /** The number of unread notices on the server, at most `MANY`; null until it is known. */
  unread: number | null;
  /** How many of them are covered by «Прочитать все» while it can still be undone. */
  covered: number;
  /** The newest notice that «Прочитать все» has covered: it and the older ones are shown as read. */
  readUpTo: string | null;
  /** Incremented with each change that the server reports; lists then refetch. */
  changes: number;
}

const UNKNOWN: State = { unread: null, covered: 0, readUpTo: null, changes: 0 };

/** The highest number that the server counts. */
export const MANY = 100;

/** The state shared by the bell and the lists. */
export const noticeState = createStore(UNKNOWN);

onSessionEnd(() => noticeState.setState(() => UNKNOWN));

export function setUnread(unread: number): void {
  noticeState.setState((state) => (state.unread === unread ? state : { ...state, unread }));
}

export function reportChange(): void {
  noticeState.setState((state) => ({ ...state, changes: state.changes + 1 }));
}

/** Shows this notice and all older ones as read. Returns a function that reverts this. */
export function coverAll(before: string): () => void {
  const { readUpTo, unread } = noticeState.get();
  noticeState.setState((state) => ({ ...state, readUpTo: before, covered: unread ?? 0 }));
  return () => noticeState.setState((state) => ({ ...state, readUpTo, covered: 0 }));
}

/** The server has marked the covered notices as read. */
export function confirmAll(unread: number): void {
  noticeState.setState((state) => ({ ...state, unread, covered: 0 }));
}

/** The number that the bell shows. */
export const shownUnread = ({ unread, covered }: State): number => Math.max(0, (unread ?? 0) - covered);

/** Whether «Прочитать все» has covered a notice. Ids of notices are ordered by time. */
export const isCovered = ({ id }: Pick<Notice, "id">, readUpTo: string | null): boolean =>
  readUpTo !== null && id <= readUpTo;
