import { ApolloClient, ApolloLink, type FetchResult, Observable } from "@apollo/client";
import { expect, it } from "vitest";
import { createCache } from "../api/cache";
import { newQuestion } from "../quiz-builder/model";
import { UnpublishedMarkFragmentDoc } from "../unpublished/Unpublished.generated";
import { sendPage } from "./sendPage";

const mark = (version: number, draftVersion: number | null, isBehind = false) => ({
  __typename: "Page",
  id: "p",
  published: true,
  version,
  pageDraft: draftVersion === null ? null : draftOf(draftVersion, isBehind),
});
const draftOf = (version: number, isBehind: boolean) => ({
  __typename: "PageDraft",
  version,
  baseVersion: 1,
  isBehind,
  savedAt: "2026-01-01T00:00:00Z",
  editor: null,
});

/** Saves a text to a server that answers with `page`. */
async function save(page: object, quiz: object | null = null, includes: number | null = null) {
  const requests: Record<string, unknown>[] = [];
  const link = new ApolloLink(
    ({ variables }) =>
      new Observable<FetchResult>((observer) => {
        requests.push(variables.input);
        const saved = { ...page, updatedAt: "2026-01-01T00:00:00Z" };
        observer.next({
          data: { updatePage: { __typename: "UpdatePagePayload", page: saved, conflict: null } },
        });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache() });
  const id = "Page:p";
  client.cache.restore({ [id]: { __typename: "Page", id: "p", title: "Seen", content: "seen" } });
  const send = sendPage(client, { pageId: "p", session: "s", includes: () => includes });
  const parts = { title: true, content: true, quiz: true };
  const request = { version: 1, parts, signal: new AbortController().signal, leaving: false };
  const outcome = await send({ title: "New", content: "new", quiz, contentKey: null }, request);
  const known = client.cache.readFragment({
    id,
    fragment: UnpublishedMarkFragmentDoc,
    fragmentName: "UnpublishedMark",
  });
  return { outcome, requests, known, cached: (client.cache.extract() as Record<string, unknown>)[id] };
}

it("saves the text of a published page as its unpublished changes, which this window shows to no learner", async () => {
  const { outcome, requests, cached, known } = await save(mark(4, 5));
  expect(requests).toEqual([
    { pageId: "p", userSessionId: "s", version: 1, draft: true, title: "New", content: "new" },
  ]);
  expect(outcome).toEqual({ type: "saved", version: 5 });
  expect(cached).toMatchObject({ title: "Seen", content: "seen" });
  expect(known).toMatchObject({ version: 4, pageDraft: { version: 5 } });
});

it("shows the text of a page without unpublished changes at once", async () => {
  const { outcome, cached } = await save(mark(5, null));
  expect(outcome).toEqual({ type: "saved", version: 5 });
  expect(cached).toMatchObject({ title: "New", content: "new" });
});

it("sends the incomplete quiz of a published page", async () => {
  const quiz = { questions: [newQuestion("numeric")] };
  const { outcome, requests } = await save(mark(1, 2), quiz);
  expect(outcome).toEqual({ type: "saved", version: 2 });
  expect(requests[0]).toMatchObject({ quiz });
});

it("tells which published version was merged into the text", async () => {
  expect((await save(mark(4, 5), null, 4)).requests[0]).toMatchObject({ baseVersion: 4 });
});

/** A document of one paragraph. */
const doc = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});

/** Saves twice, where the first answer is lost and the page then has this history. */
async function conflictAfterLostAnswer(history: Record<number, object>) {
  const newest = Math.max(...Object.keys(history).map(Number));
  const page = (version: number) => ({
    ...mark(version, null),
    title: null,
    content: history[version],
    authorQuiz: null,
  });
  const answers = [
    null,
    { updatePage: { __typename: "UpdatePagePayload", page: null, conflict: conflictWith(page(newest)) } },
  ];
  const versions = Object.keys(history).map((version) => versionOf(Number(version)));
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable<FetchResult>((observer) => {
        const text = { ...page(variables.version), __typename: "PageVersionText" };
        const data = {
          SavePage: () => answers.shift() ?? null,
          PageHistory: () => ({ page: { ...mark(newest, null), versions } }),
          PageVersionText: () => ({ page: { __typename: "Page", id: "p", versionText: text } }),
        }[operationName as "SavePage" | "PageHistory" | "PageVersionText"]();
        if (data) observer.next({ data });
        else observer.error(new TypeError("Failed to fetch"));
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache() });
  const send = sendPage(client, { pageId: "p", session: "s", includes: () => null });
  const request = {
    version: 1,
    parts: { title: false, content: true, quiz: false },
    signal: new AbortController().signal,
    leaving: false,
  };
  const text = (content: string) => ({
    title: null,
    content: doc(content),
    quiz: null,
    contentKey: doc(content),
  });
  expect(await send(text("Моё"), request)).toEqual({ type: "unanswered" });
  return send(text("Моё, и ещё"), request);
}

const versionOf = (version: number) => ({
  __typename: "PageVersion",
  version,
  title: null,
  startedAt: "2026-01-01T00:00:00Z",
  savedAt: "2026-01-01T00:00:00Z",
  publishedAt: null,
  editor: null,
});
const conflictWith = (page: object) => ({
  __typename: "PageConflict",
  message: "Conflict",
  page: { ...page, updatedAt: "2026-01-01T00:00:00Z", versions: [] },
});

it("finds a stored text whose answer was lost, after somebody else has saved", async () => {
  const found = await conflictAfterLostAnswer({ 1: doc("Было"), 2: doc("Моё"), 3: doc("Моё и чужое") });
  expect(found).toMatchObject({ type: "conflicted", stored: { version: 3 }, base: { content: doc("Моё") } });
});

it("returns no base if the server stored none of the sent texts", async () => {
  const found = await conflictAfterLostAnswer({ 1: doc("Было"), 2: doc("Чужое") });
  expect(found).toMatchObject({ type: "conflicted", stored: { version: 2 } });
  expect(found).not.toHaveProperty("base");
});
