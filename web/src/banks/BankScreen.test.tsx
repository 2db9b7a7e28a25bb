import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storeToken } from "../api/session";
import { documentOf } from "../quiz-builder/model";
import { renderApp } from "../testing/renderApp";
import { dismissToast, toastStore } from "../ui/toasts";
import type { BankQuestion } from "./bank";
import { aBank, aQuestion, bankAnswers, plainText, whole } from "./testing";

beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
  for (const { id } of toastStore.get()) dismissToast(id);
});

const questions = [
  aQuestion("q1", "Есть ли трение покоя?"),
  aQuestion("q2", "Что такое инерция?", { isComplete: false, tags: ["легко", "трение"] }),
];
const open = async (over = {}, bank = aBank()) => renderApp("/banks/b1", bankAnswers(bank, questions, over));
const row = (words: string) => screen.findByRole("button", { name: whole(words), expanded: false });
const points = () => screen.getByRole("textbox", { name: "Баллы" });
const inputs = (app: Awaited<ReturnType<typeof open>>, name: string) =>
  app.asked.filter((one) => one.name === name).map(({ variables }) => variables.input);

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

describe("an open question", () => {
  const saved = (version: number, question: unknown): BankQuestion =>
    aQuestion("q1", "", { version, question });

  test("is saved on demand, with the version that the change is based on", async () => {
    const user = userEvent.setup();
    const app = await open({
      UpdateBankQuestion: ({ input }: { input: { version: number; question: unknown } }) => ({
        updateBankQuestion: {
          __typename: "UpdateBankQuestionPayload",
          question: saved(input.version + 1, input.question),
          isConflict: false,
        },
      }),
    });
    await user.click(await row("Есть ли трение покоя?"));
    const save = screen.getByRole("button", { name: "Сохранить" });
    expect(save).toHaveProperty("disabled", true);
    fireEvent.change(points(), { target: { value: "3" } });
    expect(screen.getByText(whole("Есть несохранённые изменения"))).toBeTruthy();
    await user.click(save);
    await waitFor(() => expect(save).toHaveProperty("disabled", true));
    fireEvent.change(points(), { target: { value: "4" } });
    fireEvent.keyDown(points(), { code: "KeyS", ctrlKey: true });
    await waitFor(() => expect(inputs(app, "UpdateBankQuestion")).toHaveLength(2));
    expect(inputs(app, "UpdateBankQuestion")).toMatchObject([
      { questionId: "q1", version: 1, question: { points: 3 } },
      { questionId: "q1", version: 2, question: { points: 4 } },
    ]);
  });

  test("asks about a number that cannot be read before it is saved", async () => {
    const user = userEvent.setup();
    const app = await open({
      UpdateBankQuestion: ({ input }: { input: { version: number; question: unknown } }) => ({
        updateBankQuestion: {
          __typename: "UpdateBankQuestionPayload",
          question: saved(input.version + 1, input.question),
          isConflict: false,
        },
      }),
    });
    await user.click(await row("Есть ли трение покоя?"));
    fireEvent.change(points(), { target: { value: "3" } });
    fireEvent.change(points(), { target: { value: "много" } });
    await user.click(screen.getByRole("button", { name: "Сохранить" }));
    const question = await screen.findByRole("dialog", { name: whole("Введённое не сохранено") });
    await user.click(within(question).getByRole("button", { name: "Вернуться" }));
    expect(points()).toHaveProperty("value", "много");
    expect(inputs(app, "UpdateBankQuestion")).toEqual([]);
    fireEvent.keyDown(points(), { code: "KeyS", ctrlKey: true });
    await user.click(await screen.findByRole("button", { name: whole("Не сохранять") }));
    await waitFor(() =>
      expect(inputs(app, "UpdateBankQuestion")).toMatchObject([{ version: 1, question: { points: 3 } }]),
    );
    expect(points()).toHaveProperty("value", "3");
  });

  test("asks before a change is lost", async () => {
    const user = userEvent.setup();
    await open();
    await user.click(await row("Есть ли трение покоя?"));
    fireEvent.change(points(), { target: { value: "3" } });
    await user.click(await row("Что такое инерция?"));
    const question = await screen.findByRole("dialog", { name: whole("Введённое не сохранено") });
    await user.click(within(question).getByRole("button", { name: "Вернуться" }));
    expect(points()).toHaveProperty("value", "3");
    await user.click(screen.getByRole("button", { name: "Закрыть" }));
    await user.click(await screen.findByRole("button", { name: whole("Не сохранять") }));
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Баллы" })).toBeNull());
  });

  test("a conflict shows both versions, and each can stay", async () => {
    const user = userEvent.setup();
    const theirs = saved(5, {
      ...(questions[0]?.question as object),
      prompt: documentOf("Их вопрос"),
      points: 7,
    });
    const app = await open({
      UpdateBankQuestion: ({ input }: { input: { version: number; question: unknown } }) => ({
        updateBankQuestion: {
          __typename: "UpdateBankQuestionPayload",
          question: input.version === 5 ? saved(6, input.question) : theirs,
          isConflict: input.version !== 5,
        },
      }),
      AddBankQuestions: () => ({
        addBankQuestions: {
          __typename: "AddBankQuestionsPayload",
          questions: [aQuestion("q9", "Копия")],
          bank: aBank(),
        },
      }),
    });
    await user.click(await row("Есть ли трение покоя?"));
    fireEvent.change(points(), { target: { value: "3" } });
    await user.click(screen.getByRole("button", { name: "Сохранить" }));
    await user.click(await screen.findByRole("button", { name: "Сравнить" }));
    const dialog = screen.getByRole("dialog", { name: whole("Вопрос изменили в другом месте") });
    expect(plainText(within(dialog).getByRole("region", { name: whole("Ваша версия") }))).toContain(
      "3 балла",
    );
    expect(plainText(within(dialog).getByRole("region", { name: whole("Сохранённая версия") }))).toContain(
      "Их вопрос",
    );
    await user.click(within(dialog).getByRole("button", { name: whole("Сохранить мою") }));
    await waitFor(() => expect(inputs(app, "UpdateBankQuestion")).toHaveLength(2));
    expect(inputs(app, "UpdateBankQuestion")[1]).toMatchObject({ version: 5, question: { points: 3 } });
    await waitFor(() => expect(screen.queryByRole("button", { name: "Сравнить" })).toBeNull());

    cleanup();
    const again = await open({
      UpdateBankQuestion: () => ({
        updateBankQuestion: { __typename: "UpdateBankQuestionPayload", question: theirs, isConflict: true },
      }),
      AddBankQuestions: () => ({
        addBankQuestions: {
          __typename: "AddBankQuestionsPayload",
          questions: [aQuestion("q9", "Копия")],
          bank: aBank(),
        },
      }),
    });
    await user.click(await row("Есть ли трение покоя?"));
    fireEvent.change(points(), { target: { value: "3" } });
    await user.click(screen.getByRole("button", { name: "Сохранить" }));
    await user.click(await screen.findByRole("button", { name: "Сравнить" }));
    await user.click(screen.getByRole("button", { name: whole("Сохранить мою отдельным вопросом") }));
    await waitFor(() => expect(points()).toHaveProperty("value", "7"));
    expect(inputs(again, "AddBankQuestions")).toMatchObject([
      { bankId: "b1", questions: [{ question: { points: 3 }, tags: ["трение"] }] },
    ]);
  });

  test("tags are stored at once", async () => {
    const user = userEvent.setup();
    const app = await open({
      TagBankQuestions: () => ({ tagBankQuestions: { __typename: "BankPayload", bank: aBank() } }),
    });
    await user.click(await row("Есть ли трение покоя?"));
    await user.type(screen.getByRole("combobox", { name: "Теги" }), "легко{Enter}");
    await waitFor(() =>
      expect(inputs(app, "TagBankQuestions")).toEqual([
        { bankId: "b1", questionIds: ["q1"], add: ["легко"] },
      ]),
    );
  });

  test("its history opens only without a change", async () => {
    const user = userEvent.setup();
    const app = await open();
    await user.click(await row("Есть ли трение покоя?"));
    fireEvent.change(points(), { target: { value: "3" } });
    await user.click(screen.getByRole("button", { name: "История" }));
    expect(await screen.findByText(whole("Сначала сохраните изменения."))).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(inputs(app, "UpdateBankQuestion")).toEqual([]);
    expect(points()).toHaveProperty("value", "3");
  });

  test("an earlier version is read and restored", async () => {
    const user = userEvent.setup();
    const earlier = { ...(questions[0]?.question as object), prompt: documentOf("Прежний вопрос") };
    const now = { ...questions[0], version: 3 } as BankQuestion;
    const app = await open({
      BankQuestionVersions: () => ({
        bankQuestions: [
          {
            ...now,
            versions: [
              {
                __typename: "BankQuestionVersion",
                version: 2,
                question: earlier,
                changedAt: "2026-10-01T10:00:00Z",
                changedBy: null,
              },
            ],
          },
        ],
      }),
      UpdateBankQuestion: ({ input }: { input: { question: unknown } }) => ({
        updateBankQuestion: {
          __typename: "UpdateBankQuestionPayload",
          question: saved(4, input.question),
          isConflict: false,
        },
      }),
    });
    await user.click(await row("Есть ли трение покоя?"));
    await user.click(screen.getByRole("button", { name: "История" }));
    const dialog = await screen.findByRole("dialog", { name: whole("История вопроса") });
    const versions = await within(dialog).findByRole("list", { name: "Версии" });
    expect(within(dialog).getByRole("button", { name: whole("Вернуть эту версию") })).toHaveProperty(
      "disabled",
      true,
    );
    await user.click(within(versions).getAllByRole("button")[1] as HTMLElement);
    expect(plainText(dialog)).toContain("Прежний вопрос");
    await user.click(within(dialog).getByRole("button", { name: whole("Вернуть эту версию") }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(inputs(app, "UpdateBankQuestion")).toEqual([{ questionId: "q1", version: 3, question: earlier }]);
  });
});

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

describe("what was typed and not saved", () => {
  const isKept = () => Object.keys(localStorage).some((key) => key.startsWith("bank-draft:"));
  const returned = () => toastStore.get().map(({ text }) => text);

  test("comes back with its question after the screen was lost, with the version that it was based on", async () => {
    const user = userEvent.setup();
    await open();
    await user.click(await row("Что такое инерция?"));
    fireEvent.change(points(), { target: { value: "7" } });
    cleanup();
    const newer = aQuestion("q2", "Что такое инерция?", { version: 2 });
    const app = await open({
      BankQuestion: () => ({ bankQuestions: [newer] }),
      UpdateBankQuestion: () => ({
        updateBankQuestion: { __typename: "UpdateBankQuestionPayload", question: newer, isConflict: true },
      }),
    });
    await screen.findByRole("button", { name: whole("Что такое инерция?"), expanded: true });
    expect(points()).toHaveProperty("value", "7");
    expect(returned()).toContain("Мы вернули вопрос, который не успел сохраниться.");
    await user.click(screen.getByRole("button", { name: "Сохранить" }));
    // Somebody has saved another version meanwhile, so it is a conflict.
    await screen.findByRole("button", { name: "Сравнить" });
    expect(inputs(app, "UpdateBankQuestion")).toMatchObject([{ version: 1, question: { points: 7 } }]);
    expect(isKept()).toBe(true);
  });

  test("is not kept once it is saved or discarded", async () => {
    const user = userEvent.setup();
    await open({
      UpdateBankQuestion: ({ input }: { input: { question: unknown } }) => ({
        updateBankQuestion: {
          __typename: "UpdateBankQuestionPayload",
          question: aQuestion("q1", "", { version: 2, question: input.question }),
          isConflict: false,
        },
      }),
    });
    await user.click(await row("Есть ли трение покоя?"));
    fireEvent.change(points(), { target: { value: "7" } });
    expect(isKept()).toBe(true);
    await user.click(screen.getByRole("button", { name: "Сохранить" }));
    await waitFor(() => expect(isKept()).toBe(false));
    fireEvent.change(points(), { target: { value: "8" } });
    expect(isKept()).toBe(true);
    await user.click(screen.getByRole("button", { name: "Закрыть" }));
    await user.click(await screen.findByRole("button", { name: "Не сохранять" }));
    await waitFor(() => expect(isKept()).toBe(false));
  });

  test("comes back as a new question, and not for another person", async () => {
    const user = userEvent.setup();
    await open();
    await row("Есть ли трение покоя?");
    await user.click(screen.getByRole("button", { name: whole("Добавить вопрос") }));
    await user.click(screen.getByRole("menuitem", { name: "Число" }));
    fireEvent.change(points(), { target: { value: "7" } });
    cleanup();
    const other = { __typename: "User", id: "u2", email: "b@c.d", fullName: "Борис", isSuperuser: false };
    await open({ Me: () => ({ me: other }) });
    await row("Есть ли трение покоя?");
    expect(screen.queryByRole("textbox", { name: "Баллы" })).toBeNull();
    cleanup();
    await open();
    expect(await screen.findByRole("textbox", { name: "Баллы" })).toHaveProperty("value", "7");
  });
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
