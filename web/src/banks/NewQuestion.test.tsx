import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderApp } from "../testing/renderApp";
import { inputs, questions } from "./screenTesting";
import { aBank, aQuestion, bankAnswers, whole } from "./testing";

test("a new question gets the tags that the list is narrowed to", async () => {
  const user = userEvent.setup();
  const app = await renderApp(
    "/banks/b1?tags=трение",
    bankAnswers(aBank(), questions, {
      AddBankQuestions: () => ({
        addBankQuestions: {
          __typename: "AddBankQuestionsPayload",
          questions: [aQuestion("q9", "Новый")],
          bank: aBank(),
        },
      }),
    }),
  );
  await user.click(await screen.findByRole("button", { name: whole("Добавить вопрос") }));
  await user.click(screen.getByRole("menuitem", { name: "Число" }));
  expect(await screen.findByRole("heading", { name: whole("Новый вопрос: Число") })).toBeTruthy();
  fireEvent.change(screen.getByRole("textbox", { name: whole("Верное число") }), { target: { value: "42" } });
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await waitFor(() =>
    expect(inputs(app, "AddBankQuestions")).toMatchObject([
      { bankId: "b1", questions: [{ question: { type: "numeric", value: 42 }, tags: ["трение"] }] },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole("heading", { name: /^Новый вопрос/ })).toBeNull());
});

test("an untouched new question closes at once, and a number that cannot be read is not lost silently", async () => {
  const user = userEvent.setup();
  const app = await renderApp("/banks/b1?tags=трение", bankAnswers(aBank(), questions));
  const begin = async () => {
    await user.click(await screen.findByRole("button", { name: whole("Добавить вопрос") }));
    await user.click(screen.getByRole("menuitem", { name: "Число" }));
    await screen.findByRole("heading", { name: whole("Новый вопрос: Число") });
  };
  await begin();
  await user.click(screen.getByRole("button", { name: "Отмена" }));
  await waitFor(() => expect(screen.queryByRole("heading", { name: /^Новый вопрос/ })).toBeNull());
  expect(screen.queryByRole("dialog")).toBeNull();

  await begin();
  const value = screen.getByRole("textbox", { name: whole("Верное число") });
  fireEvent.change(value, { target: { value: "много" } });
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  const question = await screen.findByRole("dialog", { name: whole("Введённое не сохранено") });
  await user.click(within(question).getByRole("button", { name: "Вернуться" }));
  expect(value).toHaveProperty("value", "много");
  expect(inputs(app, "AddBankQuestions")).toEqual([]);
});

test.each([
  ["Ctrl+S", { key: "s", code: "KeyS", ctrlKey: true }],
  ["Ctrl+Shift+Enter", { key: "Enter", code: "Enter", ctrlKey: true, shiftKey: true }],
])("%s in the tags field of a new question also saves the tag that is being typed", async (_, keys) => {
  const user = userEvent.setup();
  const app = await renderApp(
    "/banks/b1?tags=трение",
    bankAnswers(aBank(), questions, {
      AddBankQuestions: () => ({
        addBankQuestions: {
          __typename: "AddBankQuestionsPayload",
          questions: [aQuestion("q9", "Новый")],
          bank: aBank(),
        },
      }),
    }),
  );
  await user.click(await screen.findByRole("button", { name: whole("Добавить вопрос") }));
  await user.click(screen.getByRole("menuitem", { name: "Число" }));
  const tags = await screen.findByRole("combobox", { name: "Теги" });
  fireEvent.change(tags, { target: { value: "я".repeat(51) } });
  fireEvent.keyDown(tags, keys);
  expect((await screen.findByRole("alert")).textContent).toContain("не длиннее 50");
  expect(inputs(app, "AddBankQuestions")).toEqual([]);
  fireEvent.change(tags, { target: { value: "устно" } });
  fireEvent.keyDown(tags, keys);
  await waitFor(() =>
    expect(inputs(app, "AddBankQuestions")).toMatchObject([
      { bankId: "b1", questions: [{ tags: ["трение", "устно"] }] },
    ]),
  );
});
