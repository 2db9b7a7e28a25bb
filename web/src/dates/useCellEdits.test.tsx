import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { i18n } from "../i18n";
import { startI18n } from "../testing/startI18n";
import { course } from "./course.fixture";
import { partsOf } from "./parts";
import { useCellEdits } from "./useCellEdits";
import type { SetDates } from "./useSetDates";
import type { Undo } from "./useUndo";

const module = partsOf(course)[1] as ReturnType<typeof partsOf>[number];
const STORED = "2026-10-20T21:59:00Z";

beforeAll(async () => {
  await startI18n();
  await i18n.changeLanguage("en");
});
afterEach(cleanup);

/** The edits of a table, what they send, and the answer that each request waits for. */
function open() {
  const sent: Record<string, unknown>[] = [];
  const answers: ((dueAt: string | null) => void)[] = [];
  const undos: (() => Promise<unknown>)[] = [];
  const link = new ApolloLink(
    ({ variables }) =>
      new Observable((observer) => {
        sent.push(variables.input);
        answers.push((dueAt) => {
          const stored = { __typename: "Module", id: "m", prerequisites: [], availableFrom: null };
          const module = { ...stored, availableUntil: null, dueAt };
          observer.next({ data: { updateModule: { __typename: "ModulePayload", module } } });
          observer.complete();
        });
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const undo = { offer: (run) => void undos.push(run), follow: () => undefined } as Partial<Undo> as Undo;
  const { result } = renderHook(() => useCellEdits("Europe/Berlin", {} as SetDates, undo), {
    wrapper: ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>,
  });
  return { edits: result, sent, answers, undos };
}

test("the stored date typed again while another one is being saved is sent, and undoing knows what was saved", async () => {
  const { edits, sent, answers, undos } = open();
  const first = "2026-10-25T09:00:00Z";
  act(() => void edits.current.save(module, "due", "2026-10-25 10:00"));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    moduleId: "m",
    dueAt: "2026-10-25T10:00",
    expectedDates: { dueAt: STORED, timeZone: "Europe/Berlin" },
  });
  act(() => edits.current.open(module, "due"));
  act(() => void edits.current.save(module, "due", "2026-10-20 23:59"));
  await act(async () => answers[0]?.(first));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ moduleId: "m", dueAt: STORED, expectedDates: { dueAt: first } });
  await act(async () => answers[1]?.(STORED));
  await waitFor(() => expect(undos).toHaveLength(2));
  expect(edits.current.drafts.size).toBe(0);
  void undos[1]?.();
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[2]).toEqual({ moduleId: "m", dueAt: first, expectedDates: { dueAt: STORED } });
});

test("a cell that is opened and left while it is being saved sends nothing more; clearing it does", async () => {
  const { edits, sent, answers } = open();
  act(() => void edits.current.save(module, "due", "2026-10-25 10:00"));
  act(() => edits.current.open(module, "due"));
  act(() => void edits.current.save(module, "due", "2026-10-25 10:00"));
  act(() => void edits.current.save(module, "due", ""));
  await waitFor(() => expect(sent).toHaveLength(1));
  await act(async () => answers[0]?.("2026-10-25T09:00:00Z"));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({
    moduleId: "m",
    dueAt: null,
    expectedDates: { dueAt: "2026-10-25T09:00:00Z" },
  });
});
