import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { QuizPageState } from "./model";
import { questions, said } from "./testing";
import { useTaking } from "./useTaking";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

/** A page whose question shows another number in each attempt, as one with a formula does. */
const pageAt = (attemptNo: number) => {
  const question = { ...questions.number, prompt: said(`Сколько будет 2 + ${attemptNo}?`) };
  return { id: "p", version: 1, quiz: { attemptNo, questions: [question] } } as unknown as QuizPageState;
};

function open() {
  const send = vi.fn();
  const link = new ApolloLink(({ variables }) => {
    send(variables.input);
    return new Observable(() => {});
  });
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ApolloProvider client={client}>{children}</ApolloProvider>
  );
  const hook = renderHook(
    (page: QuizPageState) =>
      useTaking({
        page,
        questions: page.quiz?.questions ?? [],
        userId: "me",
        mode: "take",
        onTaken: vi.fn(),
      }),
    { initialProps: pageAt(1), wrapper },
  );
  act(() => hook.result.current.answer("q4", { number: "3" }));
  return { ...hook, send };
}

test("after an attempt that was submitted elsewhere the changed questions are reported", () => {
  const { result, rerender, send } = open();
  rerender(pageAt(1));
  expect(result.current.changes).toBeNull();
  rerender(pageAt(2));
  expect(result.current.changes).toEqual({ changed: ["q4"], added: [], removed: 0 });
  expect(result.current.answers).toEqual({ q4: { number: "3" } });
  act(() => result.current.submit());
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ version: 1, attemptNo: 2 }));
});

test("one's own submission reports nothing when the page already tells the next attempt", () => {
  const { result, rerender, send } = open();
  act(() => result.current.submit());
  rerender(pageAt(2));
  expect(result.current.changes).toBeNull();
  expect(result.current.isSending).toBe(true);
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ attemptNo: 1 }));
});

test("the time per question is submitted with the answers, also that of an earlier visit", () => {
  localStorage.setItem("quiz-times:me:p", JSON.stringify({ attempt: "1", seconds: { q4: 80.04 } }));
  const { result, send } = open();
  act(() => result.current.submit());
  expect(send).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ answers: [{ questionId: "q4", number: "3", seconds: 80 }] }),
  );
});
