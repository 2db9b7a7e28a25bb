import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { startI18n } from "../testing/startI18n";
import { hiddenItems } from "../ui/hiddenItems";
import { runToastAction, toastStore } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import { createNote, deleteNote, readNote } from "./actions";
import { PageKeptDocument } from "./Notes.generated";
import { aNote, keptOf, listOf } from "./testing";

beforeAll(() => startI18n());
afterEach(async () => {
  await settleUndoable();
  toastStore.setState(() => []);
  hiddenItems.setState(() => new Set());
});

/** A client whose server gives these answers, or fails with their errors, and the names of what was asked. */
function serverWith(answers: Record<string, object>) {
  const asked: string[] = [];
  const link = new ApolloLink(
    ({ operationName = "" }) =>
      new Observable((observer) => {
        asked.push(operationName);
        const answer = answers[operationName];
        if (answer instanceof Error) return observer.error(answer);
        observer.next({ data: answer as Record<string, unknown> });
        observer.complete();
      }),
  );
  return { client: new ApolloClient({ link, cache: createCache(), dataMasking: true }), asked };
}

const refusal = (code: string) =>
  new CombinedGraphQLErrors({ errors: [{ message: code, extensions: { code } }] });

const input = {
  pageId: "p1",
  color: "GREEN" as const,
  body: "Не забыть",
  version: 3,
  block: 0,
  start: 23,
  quote: "значением",
};
const there = {
  quote: { __typename: "NoteQuote" as const, exact: "значением" },
  place: { __typename: "NotePlace" as const, version: 3, block: 0, start: 23, end: 32 },
  state: "FOUND" as const,
};
const created = { createNote: { __typename: "CreateNotePayload", note: aNote("n2"), page: keptOf([]) } };

describe("creating after an attempt without an answer", () => {
  test("a note that arrived is found instead of being created twice", async () => {
    const { client, asked } = serverWith({
      PageKept: { page: keptOf([aNote("n1", there)]) },
      CreateNote: created,
    });
    await createNote(client, input, true);
    expect(asked).toEqual(["PageKept"]);
  });

  test("a note with another color, text or place is created, and a first attempt searches for none", async () => {
    const elsewhere = { ...there, place: { ...there.place, start: 2 } };
    const others = [
      aNote("a", { ...there, color: "PINK" }),
      aNote("b", { ...there, body: "Другое" }),
      aNote("c", elsewhere),
      aNote("d"),
    ];
    const { client, asked } = serverWith({ PageKept: { page: keptOf(others) }, CreateNote: created });
    await createNote(client, input, true);
    expect(asked).toEqual(["PageKept", "CreateNote"]);
    await createNote(client, input, false);
    expect(asked.slice(2)).toEqual(["CreateNote"]);
  });
});

describe("deleting a note", () => {
  const page = { query: PageKeptDocument, variables: { id: "p1" } };
  const ids = (client: ApolloClient) => client.readQuery(page)?.page.notes.map(({ id }) => id);

  test("hides it, undoing shows it in its place, and nothing is sent", async () => {
    const { client, asked } = serverWith({});
    client.writeQuery({ ...page, data: { page: keptOf([aNote("n1"), aNote("n2")]) } });
    deleteNote(client, aNote("n1"));
    expect([...hiddenItems.get()]).toEqual(["n1"]);
    runToastAction(toastStore.get()[0]?.id ?? 0);
    expect(hiddenItems.get().size).toBe(0);
    expect(ids(client)).toEqual(["n1", "n2"]);
    expect(asked).toEqual([]);
  });

  for (const [name, answer] of Object.entries({
    "a deletion": { deleteNote: { __typename: "DeleteNotePayload", noteId: "n1", pageId: "p1" } },
    "a note that was deleted elsewhere": refusal("NOT_FOUND"),
  }))
    test(`${name} takes it out of all lists, and it stays hidden from late answers`, async () => {
      const { client, asked } = serverWith({ DeleteNote: answer });
      client.writeQuery({ ...page, data: { page: keptOf([aNote("n1"), aNote("n2")]) } });
      deleteNote(client, aNote("n1"));
      await settleUndoable();
      expect(asked).toEqual(["DeleteNote"]);
      expect(ids(client)).toEqual(["n2"]);
      expect([...hiddenItems.get()]).toEqual(["n1"]);
      expect(toastStore.get()).toEqual([]);
    });

  test("a deletion that is refused shows it again", async () => {
    const { client } = serverWith({ DeleteNote: refusal("INTERNAL") });
    client.writeQuery({ ...page, data: { page: keptOf([aNote("n1")]) } });
    deleteNote(client, aNote("n1"));
    await settleUndoable();
    expect(hiddenItems.get().size).toBe(0);
    expect(ids(client)).toEqual(["n1"]);
  });
});

test("a note of a page that cannot be read is read again from the list of the course", async () => {
  const now = { ...aNote("n1", { body: "Новое", version: 2, state: "WITHHELD" }), page: null };
  const { client, asked } = serverWith({
    PageKept: refusal("NOT_FOUND"),
    CourseNotes: { courseNotes: listOf([now]) },
  });
  expect((await readNote(client, aNote("n1"), "c"))?.body).toBe("Новое");
  expect(asked).toEqual(["PageKept", "CourseNotes"]);
  expect(await readNote(client, aNote("other"), "c")).toBeNull();
});
