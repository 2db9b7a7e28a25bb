import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OpenAnswer } from "./queue";
import { answer, openTab, person, points, saves } from "./testing";

beforeEach(() => {
  localStorage.setItem("access_token", "token");
  vi.stubGlobal("scrollTo", () => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

/** Work for an assignment. */
const work = (attemptId: string, over: Partial<OpenAnswer> = {}) =>
  answer(attemptId, {
    pageId: "work",
    pageTitle: "Задание",
    prompt: null,
    links: ["https://example.org"],
    attemptNo: 2,
    ...over,
  });
const returned = (one: OpenAnswer, comment: string, by = "me"): OpenAnswer => ({
  ...one,
  state: "RELEASED",
  isReturned: true,
  comment,
  version: 1,
  history: [
    {
      version: 1,
      points: null,
      isReturned: true,
      comment,
      marks: [],
      pins: [],
      by: person(by, "Коллега"),
      at: "2026-11-26T10:00:00Z",
    },
  ],
});
const button = (name: string) => screen.getByRole("button", { name: new RegExp(`^${name}`) });
const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Что исправить" });

test("work is shown with its addresses, as a version of its assignment", async () => {
  await openTab("&answer=a1:q", [work("a1")]);
  await points();
  expect(screen.getByRole("link", { name: /^https:\/\/example\.org/ }).getAttribute("rel")).toContain(
    "noopener",
  );
  expect(screen.getAllByText(/версия.2/i).length).toBeGreaterThan(0);
  expect(screen.queryByText(/вопрос.1/)).toBeNull();
  expect(screen.getByRole("link", { name: /^Открыть задание/ }).getAttribute("href")).toBe("/view-page/work");
});

test("R asks for a comment and returns the work with it, without points", async () => {
  const [first, second] = [work("a1"), work("a2")];
  const app = await openTab("&answer=a1:q", [first, second], {
    AssessAndClaimNext: () => ({
      assessAnswer: { answer: returned(first, "Добавьте вывод"), conflict: null },
      claimNextAnswer: { answer: second },
    }),
  });
  fireEvent.change(await points(), { target: { value: "3" } });
  fireEvent.keyDown(screen.getByRole("article"), { code: "KeyR", key: "к" });
  expect(document.activeElement).toBe(field());
  expect(screen.queryByRole("textbox", { name: /^Баллы/ })).toBeNull();
  fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
  await screen.findByText("Напишите, что исправить");
  expect(saves(app)).toEqual([]);
  fireEvent.change(field(), { target: { value: "Добавьте вывод" } });
  fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
  await waitFor(() =>
    expect(saves(app)).toMatchObject([
      { input: { attemptId: "a1", version: 0, isReturned: true, comment: "Добавьте вывод" } },
    ]),
  );
  const [{ input }] = saves(app) as [{ input: object }];
  expect(input).not.toHaveProperty("points");
  expect(input).not.toHaveProperty("marks");
  // The next work begins with its points.
  expect((await points()).value).toBe("");
});

test("Escape goes back to the points, and what was typed is still there", async () => {
  await openTab("&answer=a1:q", [work("a1")]);
  fireEvent.change(await points(), { target: { value: "3" } });
  fireEvent.click(button("Вернуть на.доработку"));
  fireEvent.change(field(), { target: { value: "Начал" } });
  fireEvent.keyDown(field(), { key: "Escape" });
  expect((await points()).value).toBe("3");
  expect(document.activeElement).toBe(button("Вернуть на.доработку"));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: /^Комментарий/ }).value).toBe("Начал");
});

test("returned work says so in the list and the history, and can be graded after all", async () => {
  const one = returned(work("a1"), "Добавьте вывод");
  const app = await openTab("&view=released&answer=a1:q", [one], {
    AssessAnswer: () => ({
      assessAnswer: {
        answer: { ...one, isReturned: false, points: 4, version: 2 },
        conflict: null,
      },
    }),
  });
  await points();
  expect(screen.getAllByText(/^Возвращено на.доработку$/).length).toBe(3);
  fireEvent.change(await points(), { target: { value: "4" } });
  fireEvent.keyDown(await points(), { key: "Enter", ctrlKey: true });
  await waitFor(() => expect(saves(app)).toMatchObject([{ input: { version: 1, points: 4 } }]));
  expect((saves(app)[0] as { input: object }).input).not.toHaveProperty("isReturned");
});

test("a return of another grader is a conflict, and one's own that was stored already is none", async () => {
  const first = work("a1");
  let by = "k";
  const app = await openTab("&answer=a1:q", [first], {
    AssessAndClaimNext: () => ({
      assessAnswer: {
        answer: null,
        conflict: { message: "changed", answer: returned(first, "Добавьте вывод", by) },
      },
      claimNextAnswer: { answer: null },
    }),
  });
  await points();
  const giveBack = () => {
    fireEvent.click(button("Вернуть на.доработку"));
    fireEvent.change(field(), { target: { value: "Добавьте вывод" } });
    fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
  };
  giveBack();
  const alert = await screen.findByText("Этот ответ уже оценил другой проверяющий");
  expect(alert.closest("[role=alert]")?.textContent).toContain("Возвращено");
  expect(field().value).toBe("Добавьте вывод");
  by = "me";
  fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
  await screen.findByRole("heading", { name: "Всё проверено" });
  expect(saves(app)).toHaveLength(2);
});

test("an answer of a quiz cannot be returned", async () => {
  await openTab("&answer=a1:q", [answer("a1")]);
  await points();
  expect(screen.queryByRole("button", { name: /^Вернуть/ })).toBeNull();
  fireEvent.keyDown(screen.getByRole("article"), { code: "KeyR", key: "r" });
  expect(screen.queryByRole("textbox", { name: "Что исправить" })).toBeNull();
});
