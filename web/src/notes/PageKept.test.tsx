import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { Document } from "../content/Document";
import { MeDocument } from "../shell/Me.generated";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import { PageKept } from "./PageKept";

beforeAll(() => startI18n());
afterEach(() => {
  cleanup();
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

const note = {
  __typename: "Note",
  id: "n1",
  color: "GREEN",
  body: "Не забыть",
  version: 1,
  state: "GONE",
  quote: { __typename: "NoteQuote", exact: "старые слова" },
  place: null,
  pageId: "p1",
};

/** Opens the page; `sent` are the variables of the mutations. */
async function open() {
  const sent: Record<string, unknown>[] = [];
  const kept = { __typename: "Page", id: "p1", isBookmarked: false, tickedTasks: [1], notes: [note] };
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        const answer = (data: Record<string, unknown>) => {
          observer.next({ data });
          observer.complete();
        };
        if (operationName === "PageKept") answer({ page: kept });
        else sent.push({ operationName, ...variables.input });
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
  return { sent, client, holder };
}

test("the panel shows a note whose place is gone with its old words", async () => {
  const { client, holder } = await open();
  await renderInRouter(
    <ApolloProvider client={client}>
      <PageKept page={page} content={{ current: holder }} />
    </ApolloProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Заметки на странице: 1" }));
  const dialog = screen.getByRole("dialog", { hidden: true });
  expect(within(dialog).getByText("старые слова")).toBeTruthy();
  expect(within(dialog).getByText(/^Место изменилось/)).toBeTruthy();
  expect(within(dialog).queryByRole("button", { name: "Показать на странице", hidden: true })).toBeNull();
});

test("a reader ticks tasks in place of the checkmarks of the author, at once", async () => {
  const { client, holder, sent } = await open();
  await renderInRouter(
    <ApolloProvider client={client}>
      <PageKept page={page} content={{ current: holder }} />
    </ApolloProvider>,
  );
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
  const { client, holder, sent } = await open();
  await renderInRouter(
    <ApolloProvider client={client}>
      <PageKept page={page} content={{ current: holder }} />
    </ApolloProvider>,
  );
  const bookmark = await screen.findByRole("button", { name: "Закладка" });
  await waitFor(() => expect((bookmark as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(bookmark);
  await waitFor(() => expect(bookmark.getAttribute("aria-pressed")).toBe("true"));
  expect(sent).toEqual([{ operationName: "SetBookmark", pageId: "p1", isBookmarked: true }]);
});
