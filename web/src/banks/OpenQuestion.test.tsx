import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { documentOf } from "../quiz-builder/model";
import type { BankQuestion } from "./bank";
import { inputs, open, points, questions, row } from "./screenTesting";
import { aBank, aQuestion, plainText, whole } from "./testing";

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

  test("asks what to do with an unreadable number before saving", async () => {
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
