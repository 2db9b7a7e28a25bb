import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storeToken } from "../api/session";
import { type UploadOptions, upload } from "../api/upload";
import { renderApp } from "../testing/renderApp";
import { aBank, aQuestion, bankAnswers, whole } from "./testing";

vi.mock("../api/upload", () => ({ sendFile: vi.fn(), upload: vi.fn() }));

beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

test("closing asks while a file is being sent, cancels it and shows what may have been added", async () => {
  const user = userEvent.setup();
  const sent: AbortSignal[] = [];
  vi.mocked(upload).mockImplementation((_url, _form, { signal }: UploadOptions) => {
    sent.push(signal);
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))),
    );
  });
  const app = await renderApp("/banks/b1", bankAnswers(aBank(), [aQuestion("q1", "Есть ли трение покоя?")]));
  await user.click(await screen.findByRole("button", { name: whole("Добавить вопрос") }));
  await user.click(screen.getByRole("menuitem", { name: whole("Загрузить из файла…") }));
  const dialog = await screen.findByRole("dialog", { name: whole("Вопросы из файла") });
  const input = dialog.querySelector("input[type=file]");
  if (!input) throw new Error("the field for a file is missing");
  fireEvent.change(input, { target: { files: [new File(["?"], "Вопросы.gift")] } });
  const lists = () => app.asked.filter(({ name }) => name === "BankQuestions").length;
  const before = lists();

  const close = () => user.click(within(dialog).getByRole("button", { name: "Закрыть" }));
  await close();
  const question = await screen.findByRole("dialog", { name: whole("Файлы ещё загружаются") });
  await user.click(within(question).getByRole("button", { name: "Остаться" }));
  expect(sent.map(({ aborted }) => aborted)).toEqual([false]);
  await close();
  await user.click(await screen.findByRole("button", { name: "Уйти" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent.map(({ aborted }) => aborted)).toEqual([true]);
  await waitFor(() => expect(lists()).toBe(before + 1));
});
