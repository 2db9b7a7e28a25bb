import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import { storeToken } from "../api/session";
import { renderApp } from "../testing/renderApp";
import { dismissToast, toastStore } from "../ui/toasts";
import { aBank, aQuestion, bankAnswers, whole } from "./testing";

beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
  for (const { id } of toastStore.get()) dismissToast(id);
});

/** The questions of the bank. */
export const questions = [
  aQuestion("q1", "Есть ли трение покоя?"),
  aQuestion("q2", "Что такое инерция?", { isComplete: false, tags: ["легко", "трение"] }),
];

/** Shows the bank; `over` replaces some responses of the server. */
export const open = async (over = {}, bank = aBank()) =>
  renderApp("/banks/b1", bankAnswers(bank, questions, over));

/** The closed row of the question with these words. */
export const row = (words: string) => screen.findByRole("button", { name: whole(words), expanded: false });

/** The field for the points of the question that is open. */
export const points = () => screen.getByRole("textbox", { name: "Баллы" });

/** What the app sent with an operation. */
export const inputs = (app: Awaited<ReturnType<typeof open>>, name: string) =>
  app.asked.filter((one) => one.name === name).map(({ variables }) => variables.input);
