import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endSession, storeToken } from "../api/session";
import { createEditor } from "./createEditor";
import { readDrafts, restoreDraft } from "./drafts";
import { EditSession } from "./EditSession";
import type { Parts, Send } from "./PageSaver";
import type { PageText } from "./pageText";
import type { Event as SaveEvent } from "./saving";
import { modelSchema } from "./schema";
import { openPage } from "./testing/openPage";

const send = vi.hoisted(() => vi.fn<Send>());
const sendPage = vi.hoisted(() => vi.fn());
vi.mock("./sendPage", () => ({ sendPage }));
/** Where the session that was opened last saves. */
const destination = (): { includes: () => number | null } | undefined => sendPage.mock.lastCall?.[1];

const content = (words: string) => ({
  type: "doc",
  content: [{ type: "paragraph", ...(words && { content: [{ type: "text", text: words }] }) }],
});
/** Content of a newer version of the app. */
const unreadable = (name: string) => ({ type: "doc", content: [{ type: name }] });

let sent: { text: PageText; parts: Parts; version: number; answer: (event: SaveEvent<PageText>) => void }[];
const closing: (() => void)[] = [];
beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  sent = [];
  sendPage.mockReturnValue(send);
  send.mockImplementation(
    (text, { parts, version }) => new Promise((answer) => sent.push({ text, parts, version, answer })),
  );
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.useRealTimers();
});

function open(page = openPage()) {
  const session = new EditSession({} as never, page, "u");
  closing.push(() => session.saver.end());
  return session;
}

/** A session with an editor that shows its document. */
function openInEditor(page = openPage()) {
  const session = open(page);
  const editor = createEditor({
    element: document.body.appendChild(document.createElement("div")),
    content: session.content,
    label: "Text",
    hasPage: () => false,
    onChange: session.setDocument,
  });
  session.attach(editor);
  closing.push(() => editor.destroy());
  return { session, editor };
}

const answer = async (event: SaveEvent<PageText>) => {
  sent.at(-1)?.answer(event);
  await vi.advanceTimersByTimeAsync(0);
};

describe("an open page", () => {
  it("saves its title, document and quiz as one text", () => {
    const { session, editor } = openInEditor(openPage({ kind: "QUIZ", authorQuiz: { questions: [] } }));
    session.setTitle("New");
    editor.view.dispatch(editor.state.tr.insertText("a", 1));
    session.setQuiz({ questions: [1] });
    session.save();
    expect(sent[0]?.text).toMatchObject({ title: "New", quiz: { questions: [1] } });
    expect(sent[0]?.text.content).toEqual(content("a"));
    expect(session.state.get()).toMatchObject({ title: "New", status: "saving" });
  });

  it("keeps a draft of every change before it is sent", () => {
    const { session, editor } = openInEditor();
    editor.view.dispatch(editor.state.tr.insertText("a", 1));
    editor.view.dispatch(editor.state.tr.insertText("b", 2));
    session.setTitle("New");
    const [draft] = readDrafts(localStorage, "u", "p");
    if (!draft) throw new Error("no draft");
    expect(restoreDraft(modelSchema(), draft)).toEqual({ title: "New", content: content("ab"), quiz: null });
    expect(draft.label).toEqual({ page: "Title", course: "Course", courseId: "c" });
  });

  it("shows what another editor saved, and saves nothing", () => {
    const { session, editor } = openInEditor();
    session.follow(openPage({ title: "Theirs", content: content("theirs"), version: 2 }));
    expect(session.state.get()).toMatchObject({ title: "Theirs", isSettled: true, quizRevision: 0 });
    expect(editor.getText()).toBe("theirs");
    expect(session.content).toEqual(content("theirs"));
  });

  it("starts the quiz fields over only when the followed quiz differs", () => {
    const session = open(openPage({ kind: "QUIZ", authorQuiz: { questions: [] } }));
    session.follow(openPage({ authorQuiz: { questions: [] } }));
    expect(session.state.get().quizRevision).toBe(0);
    session.follow(openPage({ authorQuiz: { questions: [1] } }));
    expect(session.state.get()).toMatchObject({ quizRevision: 1, quiz: { questions: [1] } });
  });

  it("saves a restored draft", () => {
    const { session, editor } = openInEditor();
    session.restoreDraft({ title: "Draft", content: content("draft") });
    expect(editor.getText()).toBe("draft");
    expect(sent[0]?.text).toMatchObject({ title: "Draft", content: content("draft") });
  });

  it("shows a restored version without saving it", async () => {
    const { session, editor } = openInEditor();
    session.showRestored({ version: 5, title: null, content: content("old"), authorQuiz: null });
    expect(editor.getText()).toBe("old");
    expect(session.state.get()).toMatchObject({ title: "", isSettled: true });
    session.setTitle("x");
    session.save();
    expect(sent[0]?.version).toBe(5);
  });
});

describe("unpublished changes", () => {
  const published = { title: "Theirs", content: content("theirs"), quiz: null };

  it("name the published version that was merged into them, until they are saved", async () => {
    const { session, editor } = openInEditor();
    session.takePublished(published, 4);
    expect(editor.getText()).toBe("theirs");
    expect(sent[0]?.text).toMatchObject(published);
    expect(destination()?.includes()).toBe(4);
    await answer({ type: "saved", version: 6 });
    expect(destination()?.includes()).toBeNull();
  });

  it("take over the published version number without saving", () => {
    const session = open();
    session.renumber(9);
    expect(session.state.get().isSettled).toBe(true);
    session.setTitle("New");
    session.save();
    expect(sent[0]?.version).toBe(9);
  });
});

describe("a conflict", () => {
  const theirs = { title: "Theirs", content: content("theirs"), quiz: null, contentKey: "theirs" };
  const conflict = async () => {
    const opened = openInEditor();
    opened.session.setTitle("Mine");
    opened.session.save();
    await answer({ type: "conflicted", stored: { version: 7, text: theirs } });
    return opened;
  };

  it("about different blocks is merged without the author", async () => {
    const lines = (...words: string[]) => ({
      type: "doc",
      content: words.map((one) => content(one).content[0]),
    });
    const { session, editor } = openInEditor(openPage({ content: lines("one", "two", "three") }));
    editor.view.dispatch(editor.state.tr.insertText("Mine ", 1));
    session.save();
    const text = {
      title: "Title",
      content: lines("one", "two", "three theirs"),
      quiz: null,
      contentKey: "t",
    };
    await answer({ type: "conflicted", stored: { version: 7, text } });
    expect(session.state.get().problem).toBeNull();
    expect(session.content).toEqual(lines("Mine one", "two", "three theirs"));
    expect(sent[1]?.version).toBe(7);
    expect(sent[1]?.text.content).toEqual(lines("Mine one", "two", "three theirs"));
    await answer({ type: "saved", version: 8 });
    expect(session.state.get().isSettled).toBe(true);
  });

  it("about one block is left to the author, with the rest merged", async () => {
    const { session } = await conflict();
    expect(session.conflict()).toMatchObject({
      title: { kind: "both", mine: "Mine", theirs: "Theirs" },
      choices: 1,
    });
  });

  it("sends the whole text over the server's version when the author keeps it", async () => {
    const { session } = await conflict();
    session.keepMine();
    expect(sent[1]).toMatchObject({ version: 7, parts: { title: true, content: true, quiz: true } });
    expect(sent[1]?.text.title).toBe("Mine");
  });

  it("shows the server's text when the author takes it", async () => {
    const { session, editor } = await conflict();
    session.takeTheirs();
    expect(editor.getText()).toBe("theirs");
    expect(session.state.get()).toMatchObject({ title: "Theirs", isSettled: true, problem: null });
    expect(readDrafts(localStorage, "u")).toEqual([]);
  });
});

describe("a page that the editor cannot hold", () => {
  it("saves a new title without the content", async () => {
    const session = open(openPage({ content: unreadable("hologram") }));
    expect(session.state.get().isReadable).toBe(false);
    session.setTitle("New");
    session.save();
    expect(sent[0]?.text.title).toBe("New");
    expect(sent[0]?.parts).toEqual({ title: true, content: false, quiz: false });
    await answer({ type: "unanswered" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent[1]?.parts).toEqual({ title: true, content: false, quiz: true });
  });

  it("does not send older content with a quiz after following another editor", () => {
    const session = open(openPage({ kind: "QUIZ", content: unreadable("hologram") }));
    const page = openPage({ content: unreadable("scent"), version: 2, title: "Theirs" });
    session.saver.dispatch({
      type: "replaced",
      version: 2,
      text: { ...page, quiz: null, contentKey: page.content },
    });
    session.follow(page);
    session.setQuiz({ questions: [1] });
    session.save();
    expect(sent[0]?.parts).toEqual({ title: false, content: false, quiz: true });
    expect(sent[0]?.text.title).toBe("Theirs");
  });

  it("is recognised when another editor saves such content", () => {
    const { session } = openInEditor();
    session.follow(openPage({ content: unreadable("hologram") }));
    expect(session.state.get().isReadable).toBe(false);
    session.setTitle("New");
    session.save();
    expect(sent[0]?.parts.content).toBe(false);
  });
});

describe("the end of the session", () => {
  beforeEach(() => storeToken("token"));

  it("keeps an offline save from being retried", async () => {
    const session = open();
    session.setTitle("New");
    session.save();
    await answer({ type: "unanswered" });
    endSession();
    expect(session.state.get().status).toBe("ended");
    window.dispatchEvent(new window.Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(1);
    expect(readDrafts(localStorage, "u")).toHaveLength(1);
  });

  it("lets a request in flight finish, and sends nothing after it", async () => {
    const session = open();
    session.setTitle("One");
    session.save();
    session.setTitle("Two");
    session.save();
    endSession();
    await answer({ type: "saved", version: 2 });
    expect(sent).toHaveLength(1);
    expect(session.state.get().status).toBe("ended");
    expect(readDrafts(localStorage, "u")).toHaveLength(1);
  });
});
