import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { Document } from "../content/Document";
import { MeDocument } from "../shell/Me.generated";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import { runToastAction, toastStore } from "../ui/toasts";
import { PageKept } from "./PageKept";
import { aNote, keptOf } from "./testing";

beforeAll(() => startI18n());
afterEach(() => {
  cleanup();
  localStorage.clear();
  toastStore.setState(() => []);
  document.body.innerHTML = "";
});
beforeEach(() => {
  // jsdom has dialogs without these.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const content = {
  type: "doc",
  content: [
    paragraph("Переменная связывает имя со значением."),
    {
      type: "taskList",
      content: [
        { type: "taskItem", attrs: { checked: true }, content: [paragraph("Прочитать")] },
        { type: "taskItem", content: [paragraph("Решить")] },
      ],
    },
  ],
};
const page = { id: "p1", version: 3, content, course: { id: "c" } };

const gone = aNote("n1", {
  state: "GONE",
  quote: { __typename: "NoteQuote", exact: "старые слова" },
});

type Answers = Record<string, (input: Record<string, unknown>) => object>;

/** Opens the page; `sent` are the variables of the mutations, `asked` the names of the queries. */
async function open(kept: object = keptOf([gone], [1], 3), answers: Answers = {}) {
  const sent: Record<string, unknown>[] = [];
  const asked: string[] = [];
  const link = new ApolloLink(
    ({ operationName = "", variables }) =>
      new Observable((observer) => {
        const answer = (data: Record<string, unknown>) => {
          observer.next({ data });
          observer.complete();
        };
        if (!variables.input) asked.push(operationName);
        else sent.push({ operationName, ...variables.input });
        const found = answers[operationName]?.(variables.input ?? {});
        if (found instanceof Error) observer.error(found);
        else if (found) answer(found as Record<string, unknown>);
        else if (operationName === "PageKept") answer({ page: kept });
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  client.writeQuery({
    query: MeDocument,
    data: {
      me: { __typename: "User", id: "u", email: "a@b.c", fullName: null, isSuperuser: false },
    } as never,
  });
  const article = document.createElement("article");
  document.body.append(article);
  const holder = document.createElement("div");
  article.append(holder);
  render(<Document content={content} atOnce />, { container: holder });
  const show = (shown: typeof page = page) =>
    renderInRouter(
      <ApolloProvider client={client}>
        <PageKept page={shown} content={{ current: holder }} />
      </ApolloProvider>,
    );
  return { sent, asked, client, holder, show };
}

/** Opens the list of notes, and returns its dialog. */
async function openList() {
  fireEvent.click(await screen.findByRole("button", { name: /^Заметки на странице/ }));
  return within(screen.getByRole("dialog", { hidden: true }));
}
const button = (dialog: Awaited<ReturnType<typeof openList>>, name: string) =>
  // The texts have spaces that do not break.
  dialog.getByRole("button", { name: (its) => its.replaceAll("\u00a0", " ") === name, hidden: true });
const field = (dialog: Awaited<ReturnType<typeof openList>>) =>
  dialog.getByRole<HTMLTextAreaElement>("textbox", { hidden: true });

test("the panel shows a note whose place is gone with its old words", async () => {
  const { show } = await open();
  await show();
  const dialog = await openList();
  expect(dialog.getByText("старые слова")).toBeTruthy();
  expect(dialog.getByText("Это место в тексте изменилось.")).toBeTruthy();
  expect(dialog.queryByRole("button", { name: "Показать на странице", hidden: true })).toBeNull();
});

test("a reader ticks tasks in place of the checkmarks of the author, at once", async () => {
  const { holder, sent, show } = await open();
  await show();
  const boxes = await waitFor(() => {
    const found = [...holder.querySelectorAll<HTMLInputElement>("input[data-kept]")];
    expect(found).toHaveLength(2);
    return found;
  });
  expect(boxes.map((box) => box.checked)).toEqual([false, true]);
  fireEvent.click(boxes[0] as HTMLInputElement);
  await waitFor(() => expect(boxes[0]?.checked).toBe(true));
  expect(sent).toEqual([{ operationName: "TickTask", pageId: "p1", version: 3, task: 0, isTicked: true }]);
});

test("the bookmark is set at once", async () => {
  const { sent, show } = await open();
  await show();
  const bookmark = await screen.findByRole("button", { name: "Закладка" });
  await waitFor(() => expect((bookmark as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(bookmark);
  await waitFor(() => expect(bookmark.getAttribute("aria-pressed")).toBe("true"));
  expect(sent).toEqual([{ operationName: "SetBookmark", pageId: "p1", isBookmarked: true }]);
});

test("ticks and places of a newer text are not drawn over an older one, and the page is read again", async () => {
  const { holder, asked, show } = await open(keptOf([gone], [1], 4));
  await show();
  await screen.findByRole("button", { name: "Заметки на странице: 1" });
  await waitFor(() => expect(asked).toContain("ReadingPage"));
  expect(asked.filter((name) => name === "ReadingPage")).toHaveLength(1);
  expect(holder.querySelector("input[data-kept]")).toBeNull();
});

test("what is kept is read again when it is that of an older text", async () => {
  const { holder, asked, show } = await open(keptOf([], [1], 2));
  await show();
  await waitFor(() => expect(asked.filter((name) => name === "PageKept").length).toBeGreaterThan(1));
  expect(asked).not.toContain("ReadingPage");
  expect(holder.querySelector("input[data-kept]")).toBeNull();
});

const conflict = () =>
  new CombinedGraphQLErrors({ errors: [{ message: "Изменено", extensions: { code: "CONFLICT" } }] });

test("a note that another device has changed is shown beside one's own, and the person chooses", async () => {
  let stored = keptOf([aNote("n1", { body: "Было" })]);
  let isRefused = true;
  const { sent, show } = await open(stored, {
    PageKept: () => ({ page: stored }),
    UpdateNote: (input) =>
      isRefused ? conflict() : { updateNote: { __typename: "UpdateNotePayload", note: aNote("n1", input) } },
  });
  await show();
  const dialog = await openList();
  fireEvent.click(button(dialog, "Изменить"));
  fireEvent.change(field(dialog), { target: { value: "Моё" } });
  stored = keptOf([aNote("n1", { body: "Другое", version: 2 })]);
  fireEvent.click(button(dialog, "Сохранить"));
  expect(await dialog.findByText("Другое")).toBeTruthy();
  expect(field(dialog).value).toBe("Моё");
  isRefused = false;
  fireEvent.click(button(dialog, "Сохранить мой вариант"));
  await waitFor(() => expect(dialog.queryByRole("textbox", { hidden: true })).toBeNull());
  // The request has only the changed fields, and the version that the form was opened with.
  expect(sent).toEqual([
    { operationName: "UpdateNote", noteId: "n1", version: 1, body: "Моё" },
    { operationName: "UpdateNote", noteId: "n1", version: 2, body: "Моё" },
  ]);
});

test("a change whose answer was lost is no conflict", async () => {
  let stored = keptOf([aNote("n1", { body: "Было" })]);
  const { show } = await open(stored, { PageKept: () => ({ page: stored }), UpdateNote: conflict });
  await show();
  const dialog = await openList();
  fireEvent.click(button(dialog, "Изменить"));
  fireEvent.change(field(dialog), { target: { value: "Моё" } });
  stored = keptOf([aNote("n1", { body: "Моё", version: 2 })]);
  fireEvent.click(button(dialog, "Сохранить"));
  await waitFor(() => expect(dialog.queryByRole("textbox", { hidden: true })).toBeNull());
  expect(dialog.getByText("Моё")).toBeTruthy();
  expect(localStorage).toHaveLength(0);
});

test("a new note that was not stored stays as a draft in the panel, which tells what it is about", async () => {
  localStorage.setItem(
    "note-draft:u:new:p1:d",
    JSON.stringify({
      body: "Мысль",
      color: "PINK",
      place: { block: 0, start: 3, quote: "прежние слова", version: 2 },
    }),
  );
  const { sent, show } = await open();
  await show();
  const list = await openList();
  expect(list.getByText("прежние слова")).toBeTruthy();
  fireEvent.click(button(list, "Продолжить"));
  const form = within(screen.getByRole("dialog", { hidden: true }));
  expect(field(form).value).toBe("Мысль");
  expect(form.getByText(/найти в ней эти слова не удалось/)).toBeTruthy();
  expect((button(form, "Сохранить") as HTMLButtonElement).disabled).toBe(true);
  fireEvent.click(button(form, "Сделать заметкой о странице"));
  fireEvent.click(button(form, "Сохранить"));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ pageId: "p1", body: "Мысль", color: "PINK" });
  expect(sent[0]?.quote).toBeUndefined();
  // Nothing can be typed that would not be stored.
  expect(field(form).readOnly).toBe(true);
});

test("cancelling a new note leads back to the list", async () => {
  const { show } = await open();
  await show();
  fireEvent.click(button(await openList(), "Заметка о странице"));
  const form = within(screen.getByRole("dialog", { name: "Новая заметка", hidden: true }));
  fireEvent.click(button(form, "Отмена"));
  expect(screen.getByRole("dialog", { name: "Заметки на странице", hidden: true })).toBeTruthy();
});

test("a deleted note leaves the list and the count, and comes back in its place", async () => {
  const { show } = await open(keptOf([aNote("n1", { body: "Раз" }), aNote("n2", { body: "Два" })]));
  await show();
  await screen.findByRole("button", { name: "Заметки на странице: 2" });
  const dialog = await openList();
  const words = () => dialog.getAllByText(/^(Раз|Два)$/).map(({ textContent }) => textContent);
  fireEvent.click(dialog.getAllByRole("button", { name: "Удалить", hidden: true })[0] as HTMLElement);
  expect(words()).toEqual(["Два"]);
  act(() => runToastAction(toastStore.get()[0]?.id ?? 0));
  expect(words()).toEqual(["Раз", "Два"]);
});

test("a note of a page that has changed meanwhile is kept, and the page is read again", async () => {
  localStorage.setItem(
    "note-draft:u:new:p1:d",
    JSON.stringify({
      body: "Мысль",
      color: "BLUE",
      place: { block: 0, start: 11, quote: "связывает", version: 3 },
    }),
  );
  const { asked, show } = await open(keptOf([]), { CreateNote: conflict });
  await show();
  fireEvent.click(button(await openList(), "Продолжить"));
  const form = within(screen.getByRole("dialog", { hidden: true }));
  fireEvent.click(button(form, "Сохранить"));
  await waitFor(() => expect(asked).toContain("ReadingPage"));
  expect(field(form).value).toBe("Мысль");
  expect(localStorage.getItem("note-draft:u:new:p1:d")).toContain("Мысль");
});
