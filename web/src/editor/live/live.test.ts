import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DraftKeeper } from "../drafts";
import { PageSaver, type Send } from "../PageSaver";
import { editorText, serverText } from "../pageText";
import { modelSchema } from "../schema";
import { Follower } from "./Follower";
import { initials, othersOf } from "./others";

const content = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});

/** An editor at version 1 and a server that holds `page`. */
function setUp() {
  const page = { version: 1, title: "Т", content: content("а"), authorQuiz: null };
  const send = vi.fn<Send>(() => new Promise(() => {}));
  const saver = new PageSaver({
    version: 1,
    stored: serverText(page),
    send,
    drafts: new DraftKeeper(localStorage, { userId: "u", pageId: "p", session: "s" }, () => ({
      page: "",
      course: "",
    })),
  });
  const show = vi.fn();
  const onOwnText = vi.fn();
  const read = vi.fn(async () => page as never);
  const follower = new Follower(saver, { read, show, onOwnText });
  const type = () => saver.changed(editorText("Т", modelSchema().nodeFromJSON(content("аб"))));
  return { page, saver, send, show, read, onOwnText, follower, type };
}

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());
const soon = () => vi.advanceTimersByTimeAsync(0);

describe("an editor without changes of its own", () => {
  test("shows another editor's save, and saves on top of it", async () => {
    const { page, saver, show, follower } = setUp();
    page.version = 2;
    follower.notice(2, "Анна");
    await soon();
    expect(show).toHaveBeenCalledExactlyOnceWith(page, "Анна");
    expect(saver.state.get().version).toBe(2);
  });

  test("reads nothing for its current version", async () => {
    const { read, follower } = setUp();
    follower.notice(1, null);
    await soon();
    expect(read).not.toHaveBeenCalled();
  });

  test("reads again when a newer version was announced in the meantime", async () => {
    const { page, read, show, follower } = setUp();
    page.version = 2;
    follower.notice(2, "Анна");
    follower.notice(3, "Пётр");
    await soon();
    expect(read).toHaveBeenCalledTimes(2);
    page.version = 3;
    follower.notice(3, "Пётр");
    await soon();
    expect(show).toHaveBeenLastCalledWith(page, "Пётр");
  });

  test("recovers from a failed read", async () => {
    const { page, read, show, follower } = setUp();
    page.version = 2;
    read.mockRejectedValueOnce(new Error("no network"));
    follower.notice(2, "Анна");
    await soon();
    expect(show).not.toHaveBeenCalled();
    follower.notice(2, "Анна");
    await soon();
    expect(show).toHaveBeenCalledOnce();
  });
});

describe("an editor with changes of its own", () => {
  test("keeps them and sends them at once, so that the server detects the conflict", async () => {
    const { page, send, show, read, follower, onOwnText, type } = setUp();
    type();
    expect(onOwnText).toHaveBeenCalled();
    expect(send).not.toHaveBeenCalled();
    page.version = 2;
    follower.notice(2, "Анна");
    await soon();
    expect(send).toHaveBeenCalledOnce();
    expect(read).not.toHaveBeenCalled();
    expect(show).not.toHaveBeenCalled();
  });

  test("keeps those that were made while the other text was read", async () => {
    const { page, show, send, follower, type } = setUp();
    page.version = 2;
    follower.notice(2, "Анна");
    type();
    await soon();
    expect(show).not.toHaveBeenCalled();
    expect(send).toHaveBeenCalledOnce();
  });

  test("follows after its own save is answered", async () => {
    const { page, saver, show, follower, type } = setUp();
    type();
    saver.flush();
    page.version = 3;
    follower.notice(3, "Анна");
    saver.dispatch({ type: "saved", version: 2 });
    await soon();
    expect(show).toHaveBeenCalledOnce();
    expect(saver.state.get().version).toBe(3);
  });

  test("follows to a lower version when changes were discarded", async () => {
    const { page, saver, show, follower } = setUp();
    page.version = 5;
    follower.notice(5, "Анна");
    await soon();
    page.version = 1;
    follower.notice(1, "Анна");
    await soon();
    expect(show).toHaveBeenCalledTimes(2);
    expect(saver.state.get().version).toBe(1);
  });

  test("reads nothing for a version that it shows", async () => {
    const { read, follower } = setUp();
    follower.notice(1, "Анна");
    await soon();
    expect(read).not.toHaveBeenCalled();
  });

  test("does nothing after it was stopped", async () => {
    const { saver, onOwnText, follower, type } = setUp();
    follower.stop();
    type();
    expect(onOwnText).not.toHaveBeenCalled();
    saver.end();
  });
});

test("each other person is listed once, without this window", () => {
  const at = (userSessionId: string | null, id: string, fullName: string | null, block?: number) => ({
    userSessionId,
    editor: { id, fullName },
    block: block ?? null,
  });
  const editors = [
    at("mine", "i", "Я"),
    at("other", "i", "Я"),
    at("a", "a", "Анна"),
    at("b", "a", "Анна", 4),
    at(null, "p", null),
  ];
  expect(othersOf(editors, "mine", "i")).toEqual([
    { id: "i", name: "Я", isSelf: true, block: null },
    { id: "a", name: "Анна", isSelf: false, block: 4 },
    { id: "p", name: null, isSelf: false, block: null },
  ]);
  expect(othersOf(undefined, undefined, "i")).toEqual([]);
});

test.each([
  ["Иванова Анна Петровна", "ИА"],
  ["  аня ", "А"],
  ["𝒜лиса", "𝒜"],
  ["", ""],
])("the initials of «%s» are «%s»", (name, expected) => expect(initials(name)).toBe(expected));
