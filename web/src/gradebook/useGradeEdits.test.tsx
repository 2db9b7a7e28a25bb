import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startI18n } from "../testing/startI18n";
import { toastStore } from "../ui/toasts";
import type { Cell, Item, Row } from "./grades";
import { cellKey, useGradeEdits } from "./useGradeEdits";

beforeAll(startI18n);
beforeEach(() => toastStore.setState(() => []));
afterEach(cleanup);

const row = {
  __typename: "GradebookRow",
  enrollmentId: "e",
  user: { id: "u", fullName: "Абрамова Ольга", email: "o@example.com" },
  group: null,
  cells: [],
  total: { source: "NONE", percent: null, automatic: null, label: null, version: 0 },
} as unknown as Row;
const item = { pageId: "p", title: "Владение", lessonTitle: "Урок" } as Item;
const key = cellKey(row, item);
const at = (version: number): Cell => ({ source: "none", version });

const detail = (cell: Cell) => ({
  __typename: "GradeDetail",
  row,
  pageId: "p",
  cell,
  penaltyPercent: null,
  history: [],
});
const stored = (cell: Cell) => ({ decideGrade: { grade: detail(cell), conflict: null } });
const conflict = (cell: Cell) => ({
  decideGrade: { grade: null, conflict: { message: "changed", grade: detail(cell) } },
});

/** The edits with a server whose answers the test gives, and the versions that were sent to it. */
function setUp() {
  const versions: number[] = [];
  const answers: ((data: object | Error) => void)[] = [];
  const link = new ApolloLink(({ variables }) => {
    versions.push(variables.input.version);
    return new Observable((observer) => {
      answers.push((data) => {
        if (data instanceof Error) return observer.error(data);
        observer.next({ data });
        observer.complete();
      });
    });
  });
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const { result, unmount } = renderHook(() => useGradeEdits(vi.fn()), {
    wrapper: ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>,
  });
  act(() => result.current.setReason("Зачёт"));
  const answer = async (data: object | Error) => {
    await waitFor(() => expect(answers).toHaveLength(1));
    await act(async () => answers.shift()?.(data));
  };
  /** Types a digit on the cell, or opens what was refused, and stores it. */
  const give = (cell: Cell, digit?: string) => {
    act(() => result.current.open(row, item, cell, digit));
    act(() => void result.current.save(key));
  };
  return { result, unmount, versions, answer, give };
}

const isUnsaved = () => {
  const event = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};
const toasts = () => toastStore.get().map(({ text }) => text);

test("a refused cell goes on from the decision that its author was told, not from a later one", async () => {
  const { result, versions, answer, give } = setUp();
  give(at(0), "7");
  await answer(conflict({ source: "override", points: "9", version: 1 }));
  await waitFor(() => expect(result.current.drafts.get(key)?.problem).toContain("сейчас 9"));
  give(at(2));
  await answer(conflict({ source: "excused", version: 2 }));
  await waitFor(() => expect(result.current.drafts.get(key)?.problem).toContain("освобождён"));
  expect(versions).toEqual([0, 1]);
  expect(result.current.typed()).toEqual({ [key]: { text: "7", version: 2 } });
});

test("what waits to be stored counts as unsaved until it is stored", async () => {
  const { result, answer, give } = setUp();
  give(at(0), "7");
  expect(isUnsaved()).toBe(true);
  await answer(stored({ source: "override", points: "7", version: 1 }));
  await waitFor(() => expect(result.current.drafts.size).toBe(0));
  await waitFor(() => expect(isUnsaved()).toBe(false));
});

test("a conflict that arrives after the table was left is told with the learner and the grade", async () => {
  const { unmount, answer, give } = setUp();
  give(at(0), "7");
  unmount();
  await answer(conflict({ source: "override", points: "9", version: 1 }));
  await waitFor(() => expect(toasts()).toHaveLength(1));
  expect(toasts()[0]).toMatch(/Абрамова.Ольга.*Владение.*7.не.сохранена.*сейчас.9/);
});

test("a save that fails after its cell was opened again is told", async () => {
  const { result, answer, give } = setUp();
  give(at(0), "7");
  act(() => result.current.open(row, item, at(0), "8"));
  await answer(new Error("refused"));
  await waitFor(() => expect(toasts()).toHaveLength(1));
  expect(result.current.drafts.get(key)?.text).toBe("8");
});

test("a cell that is left without a reason keeps its draft and is no longer open", () => {
  const { result } = setUp();
  act(() => result.current.setReason(""));
  act(() => result.current.open(row, item, at(0), "7"));
  act(() => result.current.leave(key));
  expect(result.current.editing).toBeNull();
  expect(result.current.drafts.get(key)).toMatchObject({ text: "7", problem: "не сохранено" });
  expect(result.current.isUnsaved).toBe(true);
});
