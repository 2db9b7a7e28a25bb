import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storeToken } from "../api/session";
import { type Answers, renderApp } from "../testing/renderApp";
import { dismissToast, toastStore } from "../ui/toasts";
import type { TrashEntryFragment } from "./Trash.generated";

beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
  for (const { id } of toastStore.get()) dismissToast(id);
});

/** Matches a text with any spaces between its words. */
const plainName = (name: string) => new RegExp(`^${name.replaceAll(".", "\\.").replaceAll(" ", "\\s")}$`);
const plain = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ");

const anEntry = (more: Partial<TrashEntryFragment> = {}) =>
  ({
    __typename: "TrashEntry",
    id: "t1",
    kind: "COURSE",
    title: "Основы",
    place: [],
    pageCount: 2,
    attemptCount: 5,
    deletedBy: null,
    deletedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 30 * 24 * 60 * 60 * 1000 - 60_000).toISOString(),
    parentIsGone: false,
    ...more,
  }) as TrashEntryFragment;

const me = { __typename: "User", id: "u1", email: "anna@example.com", fullName: "Анна", isSuperuser: false };
const open = (answers: Answers) => renderApp("/trash", { Me: () => ({ me }), ...answers });

test("a deleted course says what it holds, how long it is kept, and who deleted it", async () => {
  await open({ DeletedCourses: () => ({ deletedCourses: [anEntry()] }) });
  const list = plain(await screen.findByRole("list", { name: "Корзина" }));
  for (const fact of ["Основы", "2 страницы, 5 попыток", "Ещё 30 дней", "удалённый аккаунт"])
    expect(list).toContain(fact);
});

test("a course is deleted forever after one question, which says what is lost", async () => {
  const user = userEvent.setup();
  let entries = [anEntry()];
  const app = await open({
    DeletedCourses: () => ({ deletedCourses: entries }),
    DeleteForever: () => {
      entries = [];
      return { deleteForever: { __typename: "DeleteForeverPayload", entryId: "t1" } };
    },
  });
  await user.click(await screen.findByRole("button", { name: "Удалить навсегда: Основы" }));
  const dialog = screen.getByRole("dialog");
  expect(plain(dialog)).toContain("2 страницы, 5 попыток");
  await user.click(within(dialog).getByRole("button", { name: "Удалить навсегда" }));
  expect(app.asked.find(({ name }) => name === "DeleteForever")?.variables).toEqual({
    input: { entryId: "t1" },
  });
  expect(await screen.findByRole("heading", { name: plainName("Удалённых курсов нет") })).toBeTruthy();
});

test("a course is restored at once", async () => {
  const user = userEvent.setup();
  let entries = [anEntry()];
  await open({
    DeletedCourses: () => ({ deletedCourses: entries }),
    RestoreFromTrash: () => {
      entries = [];
      const course = { __typename: "Course", id: "c1", title: "Основы" };
      return { restoreFromTrash: { __typename: "RestoreFromTrashPayload", entryId: "t1", course } };
    },
  });
  await user.click(await screen.findByRole("button", { name: "Восстановить: Основы" }));
  expect(await screen.findByText(plainName("Курс «Основы» восстановлен."))).toBeTruthy();
  expect(screen.queryByRole("list", { name: "Корзина" })).toBeNull();
});
