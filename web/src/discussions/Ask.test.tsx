import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, configure, fireEvent, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { renderInRouter } from "../testing/renderInRouter";
import { toastStore } from "../ui/toasts";
import { AnswerBox } from "./AnswerBox";
import { Ask } from "./Ask";
import { sayGone } from "./DiscussionThread";
import type { Discussion, Place } from "./discussion";
import { keepDraft } from "./drafts";
import { aDiscussion, aPost, aText } from "./testing";

configure({ asyncUtilTimeout: 20_000 });
beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => {}));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  toastStore.setState(() => []);
  localStorage.clear();
});

const BY_NAME = { isOn: true, isOnPage: true, allowsAnonymous: false, isPerGroup: false };
const REFUSED = /Писать без имени больше нельзя/;

/** Shows a form, and returns what it sends. */
async function show(ui: ReactNode) {
  const sent: Record<string, unknown>[] = [];
  const link = new ApolloLink(
    ({ variables }) =>
      new Observable(() => {
        sent.push(variables.input as Record<string, unknown>);
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  await renderInRouter(<ApolloProvider client={client}>{ui}</ApolloProvider>);
  return sent;
}

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const askForm = (more: { place?: Place | null; rules?: typeof BY_NAME } = {}) => (
  <Ask
    page={{
      id: "p1",
      version: 4,
      content: { type: "doc", content: [paragraph("новое"), paragraph("цикл"), paragraph("условие")] },
      course: { id: "c1", myRole: "LEARNER" },
    }}
    userId="u1"
    rules={BY_NAME}
    place={null}
    autoFocus={false}
    onSent={() => {}}
    onClose={() => {}}
    {...more}
  />
);
const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));

test("a question without a name is not sent under the name when that was switched off", async () => {
  keepDraft("u1", "new:p1", { body: aText("Почему?"), isAnonymous: true });
  const sent = await show(askForm());
  await press("Спросить");
  expect(screen.getByText(REFUSED)).toBeDefined();
  expect(sent).toEqual([]);
  const [, box] = screen.getAllByRole("checkbox");
  fireEvent.click(box as HTMLElement);
  expect(screen.queryByText(REFUSED)).toBeNull();
  await press("Спросить");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ isAnonymous: false, toTeachers: false });
});

test("the teachers alone may be asked instead, and where it is allowed the name is hidden", async () => {
  keepDraft("u1", "new:p1", { body: aText("Почему?"), isAnonymous: true, toTeachers: true });
  const first = await show(askForm());
  await press("Спросить");
  await waitFor(() => expect(first).toHaveLength(1));
  expect(first[0]).toMatchObject({ isAnonymous: false, toTeachers: true });
  cleanup();
  keepDraft("u1", "new:p1", { body: aText("Почему?"), isAnonymous: true });
  const second = await show(askForm({ rules: { ...BY_NAME, allowsAnonymous: true } }));
  await press("Спросить");
  await waitFor(() => expect(second).toHaveLength(1));
  expect(second[0]).toMatchObject({ isAnonymous: true });
});

test("a draft about a block of an earlier text follows the block", async () => {
  const place = { block: 0, quote: "цикл", version: 3 };
  keepDraft("u1", "new:p1", { body: aText("Почему?"), place });
  const sent = await show(askForm({ place }));
  await press("Спросить");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ version: 4, block: 1, quote: "цикл" });
});

test("a draft whose block is gone says that it is about the whole page", async () => {
  const place = { block: 0, quote: "рекурсия", version: 3 };
  keepDraft("u1", "new:p1", { body: aText("Почему?"), place });
  const sent = await show(askForm({ place }));
  expect(await screen.findByText(/Этого фрагмента на странице больше нет/)).toBeDefined();
  await press("Спросить");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).not.toHaveProperty("block");
});

test("a draft keeps its place at another block until the person moves it", async () => {
  const draft = { body: aText("Почему?"), place: { block: 1, quote: "цикл", version: 4 } };
  keepDraft("u1", "new:p1", draft);
  const sent = await show(askForm({ place: { block: 2, quote: "условие" } }));
  await press("Спросить");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ block: 1, quote: "цикл" });
  cleanup();
  keepDraft("u1", "new:p1", draft);
  const moved = await show(askForm({ place: { block: 2, quote: "условие" } }));
  await press("Спросить об этом фрагменте");
  await press("Спросить");
  await waitFor(() => expect(moved).toHaveLength(1));
  expect(moved[0]).toMatchObject({ version: 4, block: 2, quote: "условие" });
});

const LEARNER = { role: "LEARNER", userId: "u1" } as const;
const answerBox = (discussion: Discussion, refusal?: string) => (
  <AnswerBox discussion={discussion} rules={BY_NAME} {...LEARNER} refusal={refusal} onSent={() => {}} />
);

test("an answer without a name waits for the person, too", async () => {
  const discussion = aDiscussion(1);
  keepDraft("u1", `answer:${discussion.id}`, { body: aText("Так."), isAnonymous: true });
  const sent = await show(answerBox(discussion));
  await press("Ответить");
  expect(screen.getByText(REFUSED)).toBeDefined();
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole("checkbox"));
  await press("Ответить");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ isAnonymous: false });
});

test("an asker with a name is offered no anonymous answer", async () => {
  const discussion = aDiscussion(1, { question: aPost(1, { isMine: true }) });
  keepDraft("u1", `answer:${discussion.id}`, { body: aText("Так.") });
  await show(answerBox(discussion));
  await screen.findByRole("button", { name: "Ответить" });
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("an answer that was begun stays on the screen when the question is locked", async () => {
  const discussion = aDiscussion(1);
  keepDraft("u1", `answer:${discussion.id}`, { body: aText("Так.") });
  const sent = await show(answerBox(discussion, "Вопрос закрыт для ответов."));
  await press("Ответить");
  expect(screen.getByRole("textbox").textContent).toBe("Так.");
  expect(screen.getByRole("alert").textContent).toBe("Вопрос закрыт для ответов.");
  expect(sent).toEqual([]);
  cleanup();
  localStorage.clear();
  await show(answerBox(discussion, "Вопрос закрыт для ответов."));
  expect(screen.getByText("Вопрос закрыт для ответов.")).toBeDefined();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("an answer to a question that is gone can be copied", () => {
  sayGone("u1", "d1");
  expect(toastStore.get()[0]?.action).toBeUndefined();
  keepDraft("u1", "answer:d1", { body: aText("Так.") });
  sayGone("u1", "d1");
  expect(toastStore.get()[1]).toMatchObject({ action: { label: "Скопировать ответ" } });
});
