import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { said } from "../quiz/testing";
import { CopyKeeper, readCopies } from "./copies";
import { DraftSession } from "./DraftSession";
import { type DraftText, EMPTY, isSame } from "./draftText";
import { fakeClient, stored } from "./testing";

type Saved = { draft: object | null; conflict: object | null };

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const text = (words: string, links: string[] = []): DraftText => ({ ...EMPTY, content: said(words), links });
const wait = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** A session on a page, whose server answers saves one after another; without an answer it accepts them. */
function open(draft: ReturnType<typeof stored> | null = null) {
  const answers: (Saved | Promise<object> | Error)[] = [];
  const { client, asked } = fakeClient({
    SaveAnswerDraft: ({ input }) => {
      const { version, content, links } = input as { version: number; content: unknown; links: string[] };
      const answer = answers.shift();
      if (answer instanceof Error || answer instanceof Promise) return answer;
      const saved = { ...stored(version + 1, null, links), __typename: "AnswerDraft" };
      saved.answer = { ...saved.answer, document: content } as never;
      return { saveAnswerDraft: answer ?? { draft: saved, conflict: null } };
    },
  });
  const session = new DraftSession(client, { id: "p", draft }, "me");
  const saves = () => asked.map(({ variables }) => variables.input as { version: number; links: string[] });
  return { session, answers, saves };
}

const conflict = (draft: object | null): Saved => ({ draft: null, conflict: { message: "changed", draft } });
const copies = () => readCopies("me", "p");
const shows = (session: DraftSession, expected: DraftText) => isSame(session.text, expected);

describe("a draft", () => {
  test("is kept on the device at once and saved after a pause, with the version that it was made of", async () => {
    const { session, saves } = open(stored(4, "а"));
    session.change({ content: said("аб") });
    expect(copies()).toHaveLength(1);
    expect(saves()).toEqual([]);
    expect(session.state.get().status).toBe("saving");
    await wait(1000);
    expect(saves()).toMatchObject([{ pageId: "p", version: 4, content: said("аб"), fileIds: [], links: [] }]);
    expect(session.state.get().status).toBe("saved");
    expect(copies()).toEqual([]);
    session.change({ links: ["https://a.example", ""] });
    await wait(1000);
    expect(saves()[1]).toMatchObject({ version: 5, links: ["https://a.example"] });
  });

  test("waits on the device while there is no network", async () => {
    const { session, answers, saves } = open();
    answers.push(ApiError.unreachable("/", "graphql"));
    session.change({ content: said("а") });
    await wait(1000);
    expect(session.state.get().status).toBe("offline");
    expect(copies()).toHaveLength(1);
    window.dispatchEvent(new Event("online"));
    await wait();
    expect(session.state.get().status).toBe("saved");
    expect(saves()).toHaveLength(2);
    expect(copies()).toEqual([]);
  });

  test("is merged with another one when both changed different parts", async () => {
    const { session, answers, saves } = open(stored(1, "а", ["https://a.example"]));
    answers.push(conflict(stored(2, "а", ["https://a.example", "https://b.example"])));
    session.change({ content: said("аб") });
    await wait(1000);
    expect(session.state.get().status).toBe("saved");
    expect(shows(session, text("аб", ["https://a.example", "https://b.example"]))).toBe(true);
    expect(saves()[1]).toMatchObject({ version: 2, links: ["https://a.example", "https://b.example"] });
  });

  describe("that was changed at the same place elsewhere", () => {
    const meet = async () => {
      const opened = open(stored(1, "а"));
      opened.answers.push(conflict(stored(2, "другое")));
      opened.session.change({ content: said("моё") });
      await wait(1000);
      expect(opened.session.state.get().problem?.kind).toBe("conflict");
      expect(copies(), "the own text stays on the device").toHaveLength(1);
      return opened;
    };
    test("can stay as it is here", async () => {
      const { session, saves } = await meet();
      session.keepMine();
      await wait();
      expect(saves()[1]).toMatchObject({ version: 2, content: said("моё") });
      expect(shows(session, text("моё"))).toBe(true);
    });
    test("can become what was saved", async () => {
      const { session, saves } = await meet();
      const { revision } = session.state.get();
      session.takeTheirs();
      expect(shows(session, text("другое"))).toBe(true);
      expect(session.state.get().revision).toBe(revision + 1);
      await wait(1000);
      expect(saves()).toHaveLength(1);
    });
    test("can become both", async () => {
      const { session, saves } = await meet();
      session.keepBoth();
      await wait();
      const words = JSON.stringify(saves()[1]);
      expect(words).toContain("моё");
      expect(words).toContain("другое");
    });
  });

  test("stays as a new one when the other was handed in meanwhile", async () => {
    const { session, answers, saves } = open(stored(3, "а"));
    answers.push(conflict(null));
    session.change({ content: said("аб") });
    await wait(1000);
    expect(saves()[1]).toMatchObject({ version: 0, content: said("аб") });
    expect(session.state.get().status).toBe("saved");
  });

  test("follows a newer one, unless there is unsaved text", async () => {
    const { session } = open(stored(1, "а"));
    session.follow(stored(2, "аб"), false);
    expect(shows(session, text("аб"))).toBe(true);
    session.change({ content: said("абв") });
    session.follow(stored(3, "другое"), false);
    session.follow(stored(1, "старое"), false);
    expect(shows(session, text("абв"))).toBe(true);
  });

  test("is gone when the work was handed in, also for a save that is answered later", async () => {
    const { session, saves } = open(stored(1, "а"));
    session.change({ content: said("аб") });
    session.keepPending({ submissionId: "s", version: 1, answers: [] });
    session.handedIn();
    expect(shows(session, EMPTY)).toBe(true);
    expect(copies()).toEqual([]);
    await wait(5000);
    expect(saves()).toEqual([]);
  });

  test("that was handed in from another window is gone here too", async () => {
    const { session, saves } = open(stored(2, "а"));
    session.follow(null, true);
    expect(shows(session, EMPTY)).toBe(true);
    session.follow(stored(1, "новый"), true);
    expect(shows(session, text("новый"))).toBe(true);
    session.change({ content: said("новый!") });
    session.follow(null, true);
    expect(shows(session, text("новый!")), "unsaved text stays").toBe(true);
    await wait(1000);
    expect(saves()).toMatchObject([{ version: 1, content: said("новый!") }]);
  });

  describe("while its work is being handed in", () => {
    const sent = { submissionId: "s", version: 1, answers: [] };

    test("is not saved before the work is answered", async () => {
      const { session, answers, saves } = open();
      answers.push(ApiError.unreachable("/", "graphql"), ApiError.unreachable("/", "graphql"));
      session.change({ content: said("а") });
      await session.stopSaving();
      const tried = saves().length;
      session.keepPending(sent);
      window.dispatchEvent(new Event("online"));
      await wait(60_000);
      expect(saves()).toHaveLength(tried);
      session.endPending();
      await wait(60_000);
      expect(saves().at(-1)).toMatchObject({ version: 0, content: said("а") });
      expect(session.state.get().status).toBe("saved");
      expect(copies()).toEqual([]);
    });

    test("waits for a save on its way", async () => {
      const { session, answers, saves } = open();
      answers.push(ApiError.unreachable("/", "graphql"));
      let answer = (_: object) => {};
      answers.push(new Promise((resolve) => (answer = resolve)));
      session.change({ content: said("а") });
      await wait(1000);
      expect(session.state.get().status).toBe("offline");
      let isStopped = false;
      void session.stopSaving().then(() => {
        isStopped = true;
      });
      await wait(2000);
      expect(saves()).toHaveLength(2);
      expect(isStopped).toBe(false);
      answer({ saveAnswerDraft: { draft: stored(1, "а"), conflict: null } });
      await wait();
      expect(isStopped).toBe(true);
    });

    test("is left to the copy on the device when the screen is left", async () => {
      const { session, answers } = open();
      answers.push(ApiError.unreachable("/", "graphql"));
      session.change({ content: said("а") });
      await session.stopSaving();
      session.keepPending(sent);
      session.leave();
      expect(copies()).toMatchObject([{ pending: sent, text: { content: said("а") } }]);
      session.endPending();
      await wait(60_000);
      expect(copies(), "it waits for the next visit").toMatchObject([{ pending: null }]);
    });
  });

  test("is sent when the screen is left", async () => {
    const { session, saves } = open();
    session.change({ content: said("а") });
    session.leave();
    await wait();
    expect(saves()).toHaveLength(1);
    expect(copies()).toEqual([]);
  });
});

describe("a copy of a closed form", () => {
  const leave = (version: number, words: string, at = Date.now()) =>
    new CopyKeeper({ userId: "me", pageId: "p", session: `gone${at}` }).keep(text(words), version, null, at);

  test("continues the draft", async () => {
    leave(1, "аб");
    const { session, saves } = open(stored(1, "а"));
    await session.recover();
    expect(shows(session, text("аб"))).toBe(true);
    await wait();
    expect(saves()).toMatchObject([{ version: 1, content: said("аб") }]);
    expect(copies()).toEqual([]);
  });

  test("is forgotten when the server has it", async () => {
    leave(1, "а");
    const { session, saves } = open(stored(2, "а"));
    await session.recover();
    await wait(1000);
    expect(saves()).toEqual([]);
    expect(copies()).toEqual([]);
  });

  test("of an older draft is a conflict, which shows both", async () => {
    leave(1, "моё");
    const { session, answers } = open(stored(2, "другое"));
    answers.push(conflict(stored(2, "другое")));
    await session.recover();
    await wait();
    expect(session.state.get().problem?.kind).toBe("conflict");
    expect(shows(session, text("моё"))).toBe(true);
  });

  test("with a submission without an answer is that submission again", async () => {
    const sent = { submissionId: "s", version: 1, answers: [] };
    new CopyKeeper({ userId: "me", pageId: "p", session: "gone" }).keepPending(sent, text("а"), 1);
    const { session } = open(stored(1, "а"));
    await session.recover();
    expect(session.pending).toEqual(sent);
    expect(copies().map(({ pending }) => pending)).toEqual([sent]);
    session.endPending();
    expect(session.pending).toBeNull();
    expect(copies(), "the server has the text").toEqual([]);
  });

  describe("with a submission that is refused when it is sent again", () => {
    const sent = { submissionId: "s", version: 1, answers: [] };
    const leaveSent = (words: string, version: number) =>
      new CopyKeeper({ userId: "me", pageId: "p", session: "gone" }).keepPending(sent, text(words), version);

    test("is saved as a draft", async () => {
      leaveSent("аб", 1);
      const { session, saves } = open(stored(1, "а"));
      await session.recover();
      await wait(1000);
      expect(saves()).toEqual([]);
      session.endPending();
      expect(copies()).toMatchObject([{ pending: null, text: { content: said("аб") } }]);
      await wait(1000);
      expect(saves()).toMatchObject([{ version: 1, content: said("аб") }]);
      expect(session.state.get().status).toBe("saved");
      expect(copies()).toEqual([]);
    });

    test("is a conflict when the draft has changed since", async () => {
      leaveSent("моё", 1);
      const { session, answers, saves } = open(stored(2, "другое"));
      await session.recover();
      session.follow(stored(3, "третье"), false);
      expect(shows(session, text("моё")), "a draft is not followed before the answer").toBe(true);
      answers.push(conflict(stored(3, "третье")));
      session.endPending();
      await wait(1000);
      expect(saves()).toMatchObject([{ version: 1, content: said("моё") }]);
      expect(session.state.get().problem?.kind).toBe("conflict");
      expect(copies()).toMatchObject([{ text: { content: said("моё") } }]);
    });
  });
});
