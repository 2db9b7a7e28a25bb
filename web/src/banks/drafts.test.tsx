import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { toastStore } from "../ui/toasts";
import { inputs, open, points, row } from "./screenTesting";
import { aQuestion, whole } from "./testing";

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
