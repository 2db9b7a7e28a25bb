import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { renderApp } from "../testing/renderApp";
import { inputs, open, questions, row } from "./screenTesting";
import { aBank, aQuestion, bankAnswers, plainText, whole } from "./testing";

describe("the list of questions", () => {
  test("shows what each question asks, its kind, its tags, and what is incomplete", async () => {
    await open();
    await row("Есть ли трение покоя?");
    const list = screen.getByRole("list", { name: whole("Вопросы банка") });
    const [first, second] = list.querySelectorAll<HTMLElement>(":scope > li");
    expect(plainText(first)).toContain("Короткий ответ");
    expect(plainText(first)).toContain("трение");
    expect(plainText(first)).not.toContain("Не дописан");
    expect(plainText(second)).toContain("Не дописан");
  });

  test("is narrowed by words, tags and the kind, which the address keeps", async () => {
    const user = userEvent.setup();
    const app = await open();
    await row("Есть ли трение покоя?");
    await user.click(screen.getByRole("button", { name: /^легко 1/ }));
    await waitFor(() => expect(app.router.state.location.search).toEqual({ tags: "легко" }));
    await user.selectOptions(screen.getByRole("combobox", { name: whole("Вид вопросов") }), "Число");
    await user.type(screen.getByRole("searchbox"), "сила");
    await waitFor(() =>
      expect(app.router.state.location.search).toEqual({ tags: "легко", kind: "numeric", search: "сила" }),
    );
    const last = app.asked.filter(({ name }) => name === "BankQuestions").at(-1);
    expect(last?.variables).toMatchObject({
      id: "b1",
      tags: ["легко"],
      kind: "numeric",
      search: "сила",
      skip: 0,
    });
    await user.click(screen.getByRole("button", { name: whole("Показать все") }));
    await waitFor(() => expect(app.router.state.location.search).toEqual({}));
  });

  test("selected questions are tagged and deleted together", async () => {
    const user = userEvent.setup();
    const app = await open({
      TagBankQuestions: () => ({ tagBankQuestions: { __typename: "BankPayload", bank: aBank() } }),
      DeleteBankQuestions: () => ({ deleteBankQuestions: { __typename: "BankPayload", bank: aBank() } }),
    });
    await user.click(await screen.findByRole("checkbox", { name: whole("Выбрать все на странице") }));
    const bar = screen.getByRole("region", { name: whole("Выбранные вопросы") });
    expect(plainText(bar)).toContain("Выбрано 2 вопроса");
    await user.click(within(bar).getByRole("button", { name: whole("Убрать теги") }));
    const dialog = screen.getByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "легко" }));
    await user.click(within(dialog).getByRole("button", { name: whole("Убрать теги") }));
    await waitFor(() =>
      expect(inputs(app, "TagBankQuestions")).toEqual([
        { bankId: "b1", questionIds: ["q1", "q2"], remove: ["легко"] },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(screen.getByRole("checkbox", { name: whole("Выбрать: Что такое инерция?") }));
    await user.click(screen.getByRole("button", { name: "Удалить" }));
    const question = screen.getByRole("dialog", { name: whole("Удалить 1 вопрос?") });
    await user.click(within(question).getByRole("button", { name: "Удалить" }));
    await waitFor(() =>
      expect(inputs(app, "DeleteBankQuestions")).toEqual([{ bankId: "b1", questionIds: ["q2"] }]),
    );
    await waitFor(() =>
      expect(screen.queryByRole("region", { name: whole("Выбранные вопросы") })).toBeNull(),
    );
    expect(document.activeElement).toBe(screen.getByRole("button", { name: whole("Добавить вопрос") }));
  });
});

test("an address that names a question opens it, whatever the page of the list", async () => {
  const named = aQuestion("q9", "Что такое импульс?");
  const over = { BankQuestion: () => ({ bankQuestions: [named] }) };
  await renderApp("/banks/b1?question=q9", bankAnswers(aBank(), questions, over));
  await screen.findByRole("button", { name: whole("Что такое импульс?"), expanded: true });
});

test("a viewer reads questions with their answers, and changes nothing", async () => {
  const user = userEvent.setup();
  await open({}, aBank({ role: "VIEWER" }));
  await user.click(await row("Есть ли трение покоя?"));
  expect(screen.getByText(whole("Принимаемые ответы"))).toBeTruthy();
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.queryByRole("textbox", { name: "Баллы" })).toBeNull();
  expect(screen.queryByRole("button", { name: whole("Добавить вопрос") })).toBeNull();
  await user.click(screen.getByRole("button", { name: whole("Действия с банком «Механика»") }));
  expect(screen.getAllByRole("menuitem").map((item) => item.textContent)).toEqual(["Отказаться от доступа…"]);
});

test("an empty bank says what to do", async () => {
  const bank = aBank({ questionsCount: 0, tags: [] });
  await renderApp("/banks/b1", bankAnswers(bank, []));
  expect(await screen.findByRole("heading", { name: whole("В банке пока нет вопросов") })).toBeTruthy();
});
