import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DraftKeeper, readDrafts } from "./drafts";
import { PageSaver, type Send } from "./PageSaver";
import { editorText, type PageText, serverText } from "./pageText";
import type { Event as SaverEvent } from "./saving";
import { modelSchema } from "./schema";

const schema = modelSchema();
const empty = { type: "doc", content: [{ type: "paragraph" }] };
const doc = (text: string) =>
  schema.nodeFromJSON({ type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] });
const place = { userId: "u", pageId: "p", session: "s" };

/** A saver, its requests so far, and a function that answers the last one. */
function setUp() {
  const sent: {
    text: PageText;
    about: Parameters<Send>[1];
    answer: (event: SaverEvent<PageText>) => void;
  }[] = [];
  const saver = new PageSaver({
    version: 1,
    stored: serverText({ title: "Т", content: empty }),
    send: (text, about) =>
      new Promise((resolve, reject) => {
        about.signal.addEventListener("abort", () => reject(new Error("aborted")));
        sent.push({ text, about, answer: resolve });
      }),
    drafts: new DraftKeeper(localStorage, place, () => ({ page: "", course: "" })),
    onEnd: () => ended.push("ended"),
  });
  const ended: string[] = [];
  const type = (text: string) => saver.changed(editorText("Т", doc(text)));
  const answer = async (event: SaverEvent<PageText>) => {
    sent.at(-1)?.answer(event);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { saver, sent, type, answer, ended };
}

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());
const drafts = () => readDrafts(localStorage, "u");

describe("a saver", () => {
  test("writes a draft at once, sends after a pause, and deletes the draft when the server has the text", async () => {
    const { sent, type, answer } = setUp();
    type("а");
    expect(drafts()).toHaveLength(1);
    expect(sent).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toHaveLength(1);
    expect(drafts()).toHaveLength(1);
    await answer({ type: "saved", version: 2 });
    expect(drafts()).toEqual([]);
  });

  test("that is paused aborts a save that takes too long, and sends nothing before it goes on", async () => {
    const { saver, sent, type, answer } = setUp();
    type("а");
    let isPaused = false;
    void saver.pause().then(() => {
      isPaused = true;
    });
    await vi.advanceTimersByTimeAsync(7000);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.about.signal.aborted).toBe(false);
    expect(isPaused).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(sent[0]?.about.signal.aborted).toBe(true);
    expect(isPaused).toBe(true);
    type("аб");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(1);
    expect(drafts()).toHaveLength(1);
    saver.resume();
    expect(sent).toHaveLength(2);
    await answer({ type: "saved", version: 2 });
    expect(drafts()).toEqual([]);
  });

  describe("in a browser with idle callbacks", () => {
    let waiting: (() => void)[] = [];
    const idle = () => waiting.shift()?.();
    beforeEach(() => {
      waiting = [];
      vi.stubGlobal("requestIdleCallback", (call: () => void) => waiting.push(call));
      vi.stubGlobal("cancelIdleCallback", () => {
        waiting = [];
      });
    });
    afterEach(() => vi.unstubAllGlobals());

    test("sends a due save when idle, with the characters typed in the meantime", async () => {
      const { sent, type } = setUp();
      type("а");
      await vi.advanceTimersByTimeAsync(1000);
      expect(sent).toHaveLength(0);
      idle();
      type("аб");
      expect(drafts()).toHaveLength(1);
      idle();
      expect(sent.map(({ text }) => text.content)).toEqual([editorText("Т", doc("аб")).content]);
      expect(waiting).toEqual([]);
    });

    test("does not wait for idle time when the window is closed", async () => {
      const { saver, sent, type } = setUp();
      type("а");
      await vi.advanceTimersByTimeAsync(1000);
      window.dispatchEvent(new Event("pagehide"));
      expect(sent).toHaveLength(1);
      expect(waiting).toEqual([]);
      saver.end();
    });
  });

  test("waits for a pause in typing, for five seconds at most", async () => {
    const { sent, type } = setUp();
    for (let letters = 1; letters <= 9; letters += 1) {
      type("а".repeat(letters));
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(sent).toHaveLength(0);
    type("а".repeat(10));
    await vi.advanceTimersByTimeAsync(499);
    expect(sent).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(1);
  });

  test("sends only the changed parts, and all of them when the server's text is unknown", async () => {
    const { saver, sent, type, answer } = setUp();
    type("а");
    saver.flush();
    expect(sent[0]?.about.parts).toEqual({ title: false, content: true, quiz: false });
    await answer({ type: "unanswered" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent[1]?.about.parts).toEqual({ title: true, content: true, quiz: true });
  });

  test("retries by itself, and at once when the network is back", async () => {
    const { saver, sent, type, answer } = setUp();
    type("а");
    saver.flush();
    await answer({ type: "unanswered" });
    await answer({ type: "unanswered" });
    expect(sent).toHaveLength(1);
    window.dispatchEvent(new window.Event("online"));
    expect(sent).toHaveLength(2);
    await answer({ type: "saved", version: 2 });
    expect(drafts()).toEqual([]);
  });

  test("aborts a request without an answer and keeps the text", async () => {
    const { saver, sent, type } = setUp();
    type("а");
    saver.flush();
    await vi.advanceTimersByTimeAsync(31_000);
    expect(sent.length).toBeGreaterThan(1);
    expect(drafts()).toHaveLength(1);
  });

  test("continues after its screen is left until all is saved, and then ends", async () => {
    const { saver, sent, type, answer, ended } = setUp();
    type("а");
    saver.leave();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.about.leaving).toBe(true);
    expect(ended).toEqual([]);
    await answer({ type: "saved", version: 2 });
    expect(ended).toEqual(["ended"]);
  });

  test("ends at once without unsaved text, and keeps the draft when it cannot be saved", async () => {
    const idle = setUp();
    idle.saver.leave();
    expect(idle.ended).toEqual(["ended"]);
    const busy = setUp();
    busy.type("а");
    busy.saver.flush();
    await busy.answer({ type: "signedOut" });
    busy.saver.leave();
    expect(busy.ended).toEqual(["ended"]);
    expect(drafts()).toHaveLength(1);
  });

  test("sends unsaved text when the window is closed", () => {
    const { sent, type } = setUp();
    type("а");
    window.dispatchEvent(new window.Event("pagehide"));
    expect(sent[0]?.about.leaving).toBe(true);
  });
});
