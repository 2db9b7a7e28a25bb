import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { renderInRouter } from "../testing/renderInRouter";
import { BankPicker } from "./BankPicker";
import { aBank, aQuestion, bankAnswers, plainText, whole } from "./testing";

afterEach(cleanup);

const questions = [
  aQuestion("q1", "Есть ли трение покоя?"),
  aQuestion("q2", "Что такое инерция?", { version: 4 }),
];

async function open(banks = [aBank(), aBank({ id: "b2", title: "Оптика" })]) {
  const answers = bankAnswers(aBank(), questions, {
    Banks: () => ({ banks }),
    Bank: ({ id }) => ({ bank: banks.find((bank) => bank.id === id) ?? null }),
    BankQuestions: ({ id, search }) => {
      const found = search ? questions.slice(1) : questions;
      const list = { __typename: "BankQuestionList", total: found.length, questions: found };
      return { bank: { __typename: "Bank", id, questions: list } };
    },
  });
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        const data = answers[operationName ?? ""]?.(variables);
        if (!data) return;
        observer.next({ data: data as Record<string, unknown> });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const props = { onTake: vi.fn(), onDraw: vi.fn(), onClose: vi.fn() };
  await renderInRouter(
    <ApolloProvider client={client}>
      <BankPicker {...props} />
    </ApolloProvider>,
  );
  return props;
}

test("questions are taken with their versions, also those that a search hides later", async () => {
  const user = userEvent.setup();
  const { onTake } = await open();
  const take = await screen.findByRole("button", { name: "Взять" });
  expect(take).toHaveProperty("disabled", true);
  await user.click(await screen.findByRole("checkbox", { name: /трение покоя/ }));
  await user.type(screen.getByRole("searchbox"), "инерция");
  await waitFor(() => expect(screen.queryByRole("checkbox", { name: /трение покоя/ })).toBeNull());
  await user.click(screen.getByRole("checkbox", { name: /инерция/ }));
  await user.click(screen.getByRole("button", { name: /^Взять 2/ }));
  await waitFor(() =>
    expect(onTake).toHaveBeenCalledWith([
      { bankQuestionId: "q1", version: 1, question: questions[0]?.question },
      { bankQuestionId: "q2", version: 4, question: questions[1]?.question },
    ]),
  );
});

test("a draw names its bank, tags, number and points, and tells when too few questions match", async () => {
  const user = userEvent.setup();
  const { onDraw } = await open();
  await user.click(await screen.findByRole("radio", { name: whole("Случайные вопросы") }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Банк" }), "b2");
  const plain = () => plainText(screen.getByRole("status"));
  await waitFor(() => expect(plain()).toMatch(/^Подходит 2 вопроса\. Этого мало/));
  await user.click(await screen.findByRole("button", { name: /^легко/ }));
  await waitFor(() => expect(plain()).toMatch(/^Подходит 1 вопрос\./));
  fireEvent.change(screen.getByRole("textbox", { name: whole("Сколько вопросов") }), {
    target: { value: "1" },
  });
  fireEvent.change(screen.getByRole("textbox", { name: whole("Баллов за вопрос") }), {
    target: { value: "2,5" },
  });
  await waitFor(() => expect(plain()).toBe("Подходит 1 вопрос."));
  await user.click(screen.getByRole("button", { name: whole("Добавить выборку") }));
  await waitFor(() =>
    expect(onDraw).toHaveBeenCalledWith({
      bankId: "b2",
      bankTitle: "Оптика",
      tags: ["легко"],
      count: 1,
      points: 2.5,
    }),
  );
});
