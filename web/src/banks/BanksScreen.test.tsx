import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storeToken } from "../api/session";
import { type Answers, renderApp } from "../testing/renderApp";
import { dismissToast, toastStore } from "../ui/toasts";
import { aBank, bankAnswers, plainText, whole } from "./testing";

beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
  for (const { id } of toastStore.get()) dismissToast(id);
});

const shared = aBank({
  id: "b2",
  title: "Оптика",
  role: "VIEWER",
  owner: { __typename: "PersonName", id: "u2", fullName: "Борис" } as never,
  questionsCount: 1,
  pagesCount: 3,
});
const open = (over: Answers = {}) => renderApp("/banks", bankAnswers(aBank(), [], over));

test("own banks and those of others are apart, with what is in them", async () => {
  await open({ Banks: () => ({ banks: [aBank(), shared] }) });
  const own = await screen.findByRole("list", { name: whole("Мои банки") });
  expect(within(own).getByRole("link", { name: "Механика" }).getAttribute("href")).toBe("/banks/b1");
  expect(plainText(own)).toContain("2 вопроса");
  const others = screen.getByRole("list", { name: whole("Доступны мне") });
  for (const fact of ["1 вопрос", "Читатель", "Владелец: Борис", "3 тестах"])
    expect(plainText(others)).toContain(fact);
});

test("without banks the screen says what they are for, and leads to the new one", async () => {
  const user = userEvent.setup();
  const app = await open({
    Banks: () => ({ banks: [] }),
    CreateBank: () => ({ createBank: { __typename: "BankPayload", bank: aBank() } }),
  });
  expect(await screen.findByRole("heading", { name: whole("Банков пока нет") })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: whole("Создать банк") }));
  const title = await screen.findByRole("textbox", { name: "Название" });
  await user.type(title, "{Enter}");
  expect(await screen.findByText(whole("Введите название"))).toBeTruthy();
  await user.type(title, " Механика {Enter}");
  await waitFor(() => expect(app.router.state.location.pathname).toBe("/banks/b1"));
  expect(app.asked.find(({ name }) => name === "CreateBank")?.variables).toEqual({
    input: { title: "Механика" },
  });
});

test("a bank is deleted after one question", async () => {
  const user = userEvent.setup();
  let banks = [aBank(), shared];
  const app = await open({
    Banks: () => ({ banks }),
    DeleteBank: () => {
      banks = [shared];
      return { deleteBank: { __typename: "DeleteBankPayload", bankId: "b1", message: "Банк удалён" } };
    },
  });
  await user.click(await screen.findByRole("button", { name: whole("Действия с банком «Механика»") }));
  await user.click(screen.getByRole("menuitem", { name: "Удалить…" }));
  const dialog = screen.getByRole("dialog", { name: whole("Удалить банк «Механика»?") });
  expect(plainText(dialog)).toContain("В нём 2 вопроса");
  await user.click(within(dialog).getByRole("button", { name: whole("Удалить банк") }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Механика" })).toBeNull());
  expect(app.asked.some(({ name }) => name === "DeleteBank")).toBe(true);
  expect(await screen.findByText(whole("Банк удалён"))).toBeTruthy();
});

test("the owner shares a bank, and changes and ends what is shared", async () => {
  const user = userEvent.setup();
  type Member = { role: string; person: object };
  const person = { __typename: "Person", id: "u3", fullName: "Вера", email: "vera@example.com" };
  let members: Member[] = [];
  const bank = () => ({ __typename: "Bank", id: "b1", members });
  const app = await open({
    BankMembers: () => ({ bank: bank() }),
    ShareBank: ({ input }) => {
      members = [{ __typename: "BankMember", role: (input as { role: string }).role, person } as Member];
      return { shareBank: { __typename: "BankPayload", bank: bank() } };
    },
    UnshareBank: () => {
      members = [];
      return { unshareBank: { __typename: "UnshareBankPayload", bank: bank() } };
    },
  });
  await user.click(await screen.findByRole("button", { name: whole("Действия с банком «Механика»") }));
  await user.click(screen.getByRole("menuitem", { name: "Доступ…" }));
  expect(await screen.findByText(whole("Пока банк видите только вы."))).toBeTruthy();
  await user.type(screen.getByRole("textbox", { name: whole("Email коллеги") }), "vera@example.com{Enter}");
  const list = screen.getByRole("list", { name: whole("Кому доступен банк") });
  expect(await within(list).findByText("Вера")).toBeTruthy();
  await user.selectOptions(screen.getByRole("combobox", { name: whole("Роль: Вера") }), "Читатель");
  await waitFor(() =>
    expect(
      app.asked.filter(({ name }) => name === "ShareBank").map(({ variables }) => variables.input),
    ).toEqual([
      { bankId: "b1", email: "vera@example.com", role: "EDITOR" },
      { bankId: "b1", email: "vera@example.com", role: "VIEWER" },
    ]),
  );
  await user.click(await within(list).findByRole("button", { name: whole("Закрыть доступ: Вера") }));
  const question = screen.getByRole("dialog", { name: whole("Закрыть доступ: Вера?") });
  await user.click(within(question).getByRole("button", { name: whole("Закрыть доступ") }));
  await waitFor(() => expect(within(list).queryByText("Вера")).toBeNull());
});
