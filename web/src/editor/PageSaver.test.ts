import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DraftKeeper, readDrafts } from "./drafts";
import { PageSaver, type Send } from "./PageSaver";
import { ofEditor, ofServer, type PageText } from "./pageText";
import type { Event as SaverEvent } from "./saving";
import { modelSchema } from "./schema";

const schema = modelSchema();
const empty = { type: "doc", content: [{ type: "paragraph" }] };
const doc = (text: string) =>
  schema.nodeFromJSON({ type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] });
const place = { userId: "u", pageId: "p", session: "s" };

/** A saver, what it has sent, and the means to answer. */
function setUp() {
  const sent: {
    text: PageText;
    about: Parameters<Send>[1];
    answer: (event: SaverEvent<PageText>) => void;
  }[] = [];
  const saver = new PageSaver({
    version: 1,
    stored: ofServer({ title: "Т", content: empty }),
    send: (text, about) =>
      new Promise((resolve, reject) => {
        about.signal.addEventListener("abort", () => reject(new Error("aborted")));
        sent.push({ text, about, answer: resolve });
      }),
    drafts: new DraftKeeper(localStorage, place, () => ({ page: "", course: "" })),
    onEnd: () => ended.push("ended"),
  });
  const ended: string[] = [];
  const type = (text: string) => saver.changed(ofEditor("Т", doc(text)));
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
  test("keeps a copy at once, sends after a pause, forgets the copy when the server has it", async () => {
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

  describe("in a browser that tells when it is idle", () => {
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

    test("sends between two letters what is due, with the letters that came meanwhile", async () => {
      const { sent, type } = setUp();
      type("а");
      await vi.advanceTimersByTimeAsync(1000);
      expect(sent).toHaveLength(0);
      idle();
      type("аб");
      expect(drafts()).toHaveLength(1);
      idle();
      expect(sent.map(({ text }) => text.content)).toEqual([ofEditor("Т", doc("аб")).content]);
      expect(waiting).toEqual([]);
    });

    test("waits for no idle moment when the window is left", async () => {
      const { saver, sent, type } = setUp();
      type("а");
      await vi.advanceTimersByTimeAsync(1000);
      window.dispatchEvent(new Event("pagehide"));
      expect(sent).toHaveLength(1);
      expect(waiting).toEqual([]);
      saver.end();
    });
  });

  test("waits for a pause after the last letter, and never longer than five seconds after the first", async () => {
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

  test("sends only what is different, and all of it when it does not know what the server holds", async () => {
    const { saver, sent, type, answer } = setUp();
    type("а");
    saver.flush();
    expect(sent[0]?.about.parts).toEqual({ title: false, content: true, quiz: false });
    await answer({ type: "unanswered" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent[1]?.about.parts).toEqual({ title: true, content: true, quiz: true });
  });

  test("tries again by itself, and at once when the network is back", async () => {
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

  test("gives up a request that has no answer, and the text waits", async () => {
    const { saver, sent, type } = setUp();
    type("а");
    saver.flush();
    await vi.advanceTimersByTimeAsync(31_000);
    expect(sent.length).toBeGreaterThan(1);
    expect(drafts()).toHaveLength(1);
  });

  test("goes on after its screen was left, until all is saved, and then ends", async () => {
    const { saver, sent, type, answer, ended } = setUp();
    type("а");
    saver.leave();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.about.leaving).toBe(true);
    expect(ended).toEqual([]);
    await answer({ type: "saved", version: 2 });
    expect(ended).toEqual(["ended"]);
  });

  test("ends at once when there is nothing to do, and keeps its copy when it cannot do it", async () => {
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

  test("leaves with the window: what is unsaved is sent as it goes", () => {
    const { sent, type } = setUp();
    type("а");
    window.dispatchEvent(new window.Event("pagehide"));
    expect(sent[0]?.about.leaving).toBe(true);
  });
});
