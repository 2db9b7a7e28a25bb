import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { MeDocument } from "../shell/Me.generated";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import { hiddenItems } from "../ui/hiddenItems";
import { toastStore } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import type { NotesSearch } from "./list";
import { NotesScreen } from "./NotesScreen";
import { aNote, listOf } from "./testing";

beforeAll(() => startI18n());
afterEach(() => {
  cleanup();
  toastStore.setState(() => []);
  hiddenItems.setState(() => new Set());
});

/** Opens the list of a course; `search` changes its address, `asked` are the variables of the list. */
async function open(answer: (variables: Record<string, unknown>) => object) {
  const asked: Record<string, unknown>[] = [];
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        if (operationName === "CourseNotes") asked.push(variables);
        const found = operationName === "CourseNotes" ? answer(variables) : { deleteNote: DELETED };
        if (found instanceof Error) return observer.error(found);
        observer.next({ data: found as Record<string, unknown> });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const me = { __typename: "User", id: "u", email: "a@b.c", fullName: null, isSuperuser: false };
  client.writeQuery({ query: MeDocument, data: { me } as never });
  let change: (search: NotesSearch) => void = () => {};
  function Screen() {
    const [search, setSearch] = useState<NotesSearch>({});
    change = setSearch;
    return <NotesScreen courseId="c" search={search} />;
  }
  await renderInRouter(
    <ApolloProvider client={client}>
      <Screen />
    </ApolloProvider>,
  );
  return { asked, search: (to: NotesSearch) => act(() => change(to)) };
}

const DELETED = { __typename: "DeleteNotePayload", noteId: "n1", pageId: "p1" };
const listed = (id: string, body: string) => ({ ...aNote(id, { body }), page: null });
const both = { courseNotes: listOf([listed("n1", "Раз"), listed("n2", "Два")]) };

test("a filter that cannot be answered shows its failure instead of the notes of another one", async () => {
  const errors = [{ message: "Сбой", extensions: { code: "INTERNAL" } }];
  const { asked, search } = await open(({ color }) => (color ? new CombinedGraphQLErrors({ errors }) : both));
  expect(await screen.findByText("Раз")).toBeTruthy();
  await search({ color: "PINK" });
  expect(await screen.findByText("Сбой")).toBeTruthy();
  expect(screen.queryByText("Раз")).toBeNull();
  // The person can choose another filter.
  expect(screen.getByRole("combobox")).toBeTruthy();
  expect(asked.at(-1)).toMatchObject({ color: "PINK" });
});

test("a long search is clipped to what the server takes", async () => {
  const { asked, search } = await open(() => both);
  await screen.findByText("Раз");
  await search({ q: "я".repeat(250) });
  expect(asked.at(-1)?.search).toBe("я".repeat(200));
});

test("a deleted note is counted off at once, and once", async () => {
  await open(() => both);
  await screen.findByText("Раз");
  fireEvent.click(screen.getAllByRole("button", { name: "Удалить" })[0] as HTMLElement);
  expect(screen.queryByText("Раз")).toBeNull();
  expect(screen.getByRole("status").textContent).toBe("1\u00a0заметка");
  await act(() => settleUndoable());
  expect(screen.getByText("Два")).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe("1\u00a0заметка");
});
