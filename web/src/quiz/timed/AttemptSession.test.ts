import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { mayLeave } from "../../ui/unsaved";
import { AttemptSession } from "./AttemptSession";
import { loadCopy } from "./copy";
import { FakeServer, graded, quizPage, running, shown } from "./testing";

const sessions: AttemptSession[] = [];

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.leave();
  vi.useRealTimers();
});

const wait = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const seconds = (count: number) => wait(count * 1000);

/** A session on the attempt of a server; each test has its own ticket clock, because time only goes on in a file of tests. */
function open(server: FakeServer, over: Parameters<typeof running>[0] = {}) {
  const onEnd = vi.fn();
  const session = new AttemptSession({
    page: server.page(),
    running: running({
      ticket: server.ticket,
      durationSeconds: server.duration,
      elapsedSeconds: server.elapsed(),
      ...over,
    }),
    questions: shown,
    userId: "me",
    server,
  });
  session.open(onEnd);
  sessions.push(session);
  return { session, onEnd };
}

/** A server whose ticket no other test has used. */
let tickets = 0;
class Server extends FakeServer {
  readonly own: string;

  constructor() {
    super();
    tickets += 1;
    this.own = `own${tickets}`;
    this.ticket = this.own;
  }

  override page() {
    const page = super.page();
    const isRunning = !this.isDeleted && (this.attempt === null || this.ticket !== this.own);
    return { ...page, runningAttempt: isRunning ? page.runningAttempt : null };
  }
}

const copyOf = ({ ticket }: FakeServer) => loadCopy({ userId: "me", pageId: "p", ticket });
const kept = (server: FakeServer) => Object.keys(copyOf(server)?.unsent ?? {});
const answers = (server: FakeServer) =>
  Object.fromEntries([...server.stored].map(([id, { answer }]) => [id, answer]));

describe("saving", () => {
  test("a choice is saved at once and a text after a pause, with the seconds at which it was given", async () => {
    const server = new Server();
    const { session } = open(server);
    await seconds(10);
    session.answer("q1", { optionIds: ["a"] });
    expect(kept(server)).toEqual(["q1"]);
    await wait();
    expect(server.times).toEqual([10]);
    expect(session.isSettled()).toBe(true);
    expect(kept(server)).toEqual([]);

    session.answer("q3", { text: "к" });
    await wait(600);
    session.answer("q3", { text: "ко" });
    await wait(999);
    expect(server.times).toHaveLength(1);
    await wait(1);
    expect(server.times[1]).toBeCloseTo(10.6);
    expect(answers(server)).toEqual({ q1: { optionIds: ["a"] }, q3: { text: "ко" } });
  });

  test("uninterrupted typing is saved every five seconds", async () => {
    const server = new Server();
    const { session } = open(server);
    for (let key = 0; key < 12; key += 1) {
      session.answer("q3", { text: "к".repeat(key + 1) });
      await wait(500);
    }
    expect(server.asked.filter((one) => one === "save")).toHaveLength(1);
  });

  test("one request runs at a time, and what changes meanwhile follows in the next one", async () => {
    const server = new Server();
    server.delay = 3000;
    const { session } = open(server);
    session.answer("q1", { optionIds: ["a"] });
    await seconds(1);
    session.answer("q1", { optionIds: ["b"] });
    session.answer("q3", { text: "к" });
    await seconds(1);
    expect(server.asked).toEqual(["save"]);
    await seconds(5);
    expect(server.asked).toEqual(["save", "save"]);
    expect(answers(server)).toEqual({ q1: { optionIds: ["b"] }, q3: { text: "к" } });
  });

  test("answers wait on the device while there is no network, and keep their times", async () => {
    const server = new Server();
    const { session } = open(server);
    server.isOffline = true;
    await seconds(10);
    session.answer("q1", { optionIds: ["a"] });
    await seconds(100);
    session.answer("q3", { text: "кот" });
    await seconds(20);
    expect(session.state.get().isUnreachable).toBe(true);
    expect(kept(server).sort()).toEqual(["q1", "q3"]);
    server.isOffline = false;
    window.dispatchEvent(new Event("online"));
    await wait();
    // The page tells the time again first; then the oldest answers come first.
    expect(server.asked).toEqual(["look", "save", "save"]);
    expect(server.times.map(Math.round)).toEqual([10, 110]);
    expect(session.state.get().isUnreachable).toBe(false);
    expect(kept(server)).toEqual([]);
  });

  test("is retried by itself when the server is back", async () => {
    const server = new Server();
    const { session } = open(server);
    server.isOffline = true;
    session.answer("q1", { optionIds: ["a"] });
    await seconds(60);
    server.isOffline = false;
    await seconds(10);
    expect(session.isSettled()).toBe(true);
    expect(server.asked).toEqual(["save"]);
  });

  test("a half typed number stays here, and a refused answer does not hold the others back", async () => {
    const server = new Server();
    server.refused.add("q1");
    const { session } = open(server);
    session.answer("q4", { number: "-" });
    session.answer("q3", { text: "кот" });
    session.answer("q1", { optionIds: ["a"] });
    await seconds(3);
    expect(answers(server)).toEqual({ q3: { text: "кот" } });
    expect(session.isSettled()).toBe(true);
    expect(session.state.get().refusals).toEqual({ q1: "Не подходит" });
    session.answer("q4", { number: "-5" });
    await seconds(3);
    // The reason stays with its question until that one is answered anew.
    expect(session.state.get().refusals).toEqual({ q1: "Не подходит" });
    expect(answers(server)).toEqual({ q3: { text: "кот" }, q4: { number: "-5" } });
    session.answer("q1", { optionIds: ["b"] });
    expect(session.state.get().refusals).toEqual({});
  });

  test("asks before the window closes only while something is unsaved", async () => {
    const server = new Server();
    const { session } = open(server);
    const asks = () => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(asks()).toBe(false);
    session.answer("q3", { text: "кот" });
    expect(asks()).toBe(true);
    // Another screen of the app may open: saving goes on.
    expect(await mayLeave()).toBe(true);
    await seconds(1);
    expect(asks()).toBe(false);
  });

  test("goes on after the screen is left", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    server.isOffline = true;
    session.answer("q1", { optionIds: ["a"] });
    session.leave();
    await seconds(5);
    server.isOffline = false;
    await seconds(15);
    expect(answers(server)).toEqual({ q1: { optionIds: ["a"] } });
    await seconds(2000);
    // The end is the server's.
    expect(server.submitted).toEqual([]);
    expect(onEnd).not.toHaveBeenCalled();
  });

  test("a closing page sends what it has", async () => {
    const server = new Server();
    const { session } = open(server);
    session.answer("q3", { text: "кот" });
    window.dispatchEvent(new Event("pagehide"));
    await wait();
    expect(answers(server)).toEqual({ q3: { text: "кот" } });
  });
});

test("a closing page leaves out refused answers, and sends those given far apart in requests of their own", async () => {
  const server = new Server();
  server.refused.add("q1");
  const { session } = open(server);
  session.answer("q1", { optionIds: ["a"] });
  await seconds(3);
  server.isOffline = true;
  session.answer("q3", { text: "кот" });
  await seconds(60);
  session.answer("q4", { number: "5" });
  await wait();
  server.isOffline = false;
  server.times.length = 0;
  window.dispatchEvent(new Event("pagehide"));
  await wait();
  expect(server.times.map(Math.round)).toEqual([3, 63]);
  expect(answers(server)).toEqual({ q3: { text: "кот" }, q4: { number: "5" } });
});

describe("near the end", () => {
  test("a text is saved after a shorter pause", async () => {
    const server = new Server();
    const { session } = open(server);
    await seconds(1191);
    session.answer("q3", { text: "кот" });
    await wait(250);
    expect(answers(server)).toEqual({ q3: { text: "кот" } });
  });

  test("what is being typed is sent a second before the end", async () => {
    const server = new Server();
    const { session } = open(server);
    await seconds(1198.5);
    for (let key = 1; key <= 6; key += 1) {
      session.answer("q3", { text: "к".repeat(key) });
      await wait(100);
    }
    expect(server.times.at(0)).toBeCloseTo(1198.9, 1);
  });

  test.each(["the end", "a submission"])("%s does not wait for the next retry", async (what) => {
    const server = new Server();
    const { session } = open(server);
    server.isOffline = true;
    await seconds(1150);
    session.answer("q1", { optionIds: ["a"] });
    // By now ten seconds are between two tries, and the last one was a moment ago.
    await seconds(45.5);
    server.isOffline = false;
    server.asked.length = 0;
    if (what === "the end") await seconds(4.5);
    else session.submit();
    await wait();
    expect(server.asked[0]).toBe("save");
    expect(answers(server)).toEqual({ q1: { optionIds: ["a"] } });
  });
});

describe("a page without the attempt", () => {
  test("that was read before its start does not end it: the session looks itself, once", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    await seconds(10);
    session.follow(quizPage());
    await wait();
    expect(server.asked).toEqual(["look"]);
    expect(onEnd).not.toHaveBeenCalled();
    session.answer("q1", { optionIds: ["a"] });
    await wait();
    expect(server.asked).toEqual(["look", "save"]);
  });

  test("ends it when a teacher has deleted it, and the course is read again", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    server.isDeleted = true;
    session.follow(server.page());
    await wait();
    expect(server.asked).toEqual(["look"]);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith({ attempt: null, isTimeOver: false, lost: 0 });
    expect(server.refreshed).toBe(1);
  });

  test("that cannot be read any more ends with its failure, and the answers stay on the device", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    server.isOffline = true;
    session.answer("q1", { optionIds: ["a"] });
    await seconds(5);
    server.isOffline = false;
    server.isGone = true;
    window.dispatchEvent(new Event("online"));
    await wait();
    expect(onEnd).toHaveBeenCalledOnce();
    expect(onEnd.mock.calls[0]?.[0]).toMatchObject({ attempt: null, failure: { status: 404 } });
    expect(kept(server)).toEqual(["q1"]);
  });
});

describe("a reload", () => {
  test("shows the server's answers with the unsent ones over them, and sends these with their old times", async () => {
    const server = new Server();
    const before = open(server);
    server.isOffline = true;
    await seconds(10);
    before.session.answer("q1", { optionIds: ["a"] });
    before.session.answer("q3", { text: "кот" });
    await seconds(1);
    // The page is gone without another request; the clock of the next one is two seconds behind.
    await seconds(5);
    server.isOffline = false;
    const saved = [{ __typename: "TextAnswer" as const, questionId: "q3", text: "старый" }];
    const number = { __typename: "NumberAnswer" as const, questionId: "q4", number: "16" };
    const { session } = open(server, { elapsedSeconds: 14, answers: [...saved, number] });
    expect(session.state.get().answers).toEqual({
      q1: { optionIds: ["a"] },
      q3: { text: "кот" },
      q4: { number: "16" },
    });
    await wait();
    expect(server.times[0]).toBeCloseTo(10, 1);
    expect(answers(server)).toEqual({ q1: { optionIds: ["a"] }, q3: { text: "кот" } });
  });

  test("of another attempt begins without the answers of this device", async () => {
    const server = new Server();
    server.isOffline = true;
    const before = open(server);
    before.session.answer("q1", { optionIds: ["a"] });
    await wait();
    const { session } = open(new Server());
    expect(session.state.get().answers).toEqual({});
  });

  test("goes on with a submission", async () => {
    const server = new Server();
    const before = open(server);
    server.isOffline = true;
    before.session.submit();
    await wait();
    const pending = copyOf(server)?.pending;
    server.isOffline = false;
    const { session, onEnd } = open(server);
    expect(session.state.get().phase).toBe("submitting");
    await wait();
    expect(server.submitted).toEqual([pending]);
    expect(onEnd).toHaveBeenCalledWith({ attempt: graded(), isTimeOver: false, lost: 0 });
  });
});

describe("the end", () => {
  test("locks the answers, sends the unsent ones and submits", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    await seconds(1199.5);
    session.answer("q3", { text: "кот" });
    await wait(500);
    expect(session.state.get().phase).not.toBe("answering");
    await wait();
    expect(answers(server)).toEqual({ q3: { text: "кот" } });
    expect(server.submitted).toMatchObject([{ answers: [] }]);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith({ attempt: graded(), isTimeOver: true, lost: 0 });
    session.answer("q3", { text: "кошка" });
    expect(session.state.get().answers).toEqual({ q3: { text: "кот" } });
    expect(copyOf(server)).toBeNull();
  });

  test("does not depend on the date and time of the device", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    await seconds(600);
    vi.setSystemTime(new Date("2030-01-01T00:00:00Z"));
    await wait();
    expect(session.left()).toBeCloseTo(600);
    vi.setSystemTime(new Date("2020-01-01T00:00:00Z"));
    session.answer("q1", { optionIds: ["a"] });
    await seconds(10);
    expect(server.times[0]).toBeCloseTo(600);
    expect(session.left()).toBeCloseTo(590);
    expect(onEnd).not.toHaveBeenCalled();
  });

  test("without network waits, and what was given in time arrives within the grace period", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    server.isOffline = true;
    await seconds(1190);
    session.answer("q1", { optionIds: ["a"] });
    await seconds(30);
    expect(session.state.get()).toMatchObject({ phase: "over", isUnreachable: true });
    expect(session.isInGrace()).toBe(true);
    server.isOffline = false;
    window.dispatchEvent(new Event("online"));
    await wait();
    expect(server.times.map(Math.round)).toEqual([1190]);
    expect(answers(server)).toEqual({ q1: { optionIds: ["a"] } });
    expect(onEnd).toHaveBeenCalledExactlyOnceWith({ attempt: graded(), isTimeOver: true, lost: 0 });
  });

  test("shows the result of the server after a longer time without network", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    server.isOffline = true;
    await seconds(1190);
    session.answer("q1", { optionIds: ["a"] });
    await seconds(200);
    expect(session.isInGrace()).toBe(false);
    server.end();
    server.isOffline = false;
    await seconds(20);
    expect(server.submitted).toEqual([]);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith({ attempt: graded(), isTimeOver: true, lost: 1 });
  });

  test("comes when another window submits: the next save tells it", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    await seconds(10);
    server.end();
    session.answer("q1", { optionIds: ["a"] });
    await wait();
    expect(server.asked).toEqual(["save", "look"]);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith({ attempt: graded(), isTimeOver: false, lost: 1 });
  });

  test("does not count a saved answer as lost when only the response was", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    server.isOffline = true;
    await seconds(1190);
    session.answer("q1", { optionIds: ["a"] });
    session.answer("q3", { text: "кот" });
    await seconds(200);
    const given = { __typename: "ChoiceAnswer" as const, questionId: "q1", optionIds: ["a"] };
    server.attempt = graded({ answers: [given] });
    server.isOffline = false;
    await seconds(20);
    expect(onEnd.mock.calls[0]?.[0]).toMatchObject({ isTimeOver: true, lost: 1 });
  });

  test("by its own submission needs no other reading of the course", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    session.submit();
    await seconds(5);
    expect(onEnd).toHaveBeenCalledOnce();
    expect(server.refreshed).toBe(0);
  });

  test("never submits an attempt that was started elsewhere since", async () => {
    const server = new Server();
    const { onEnd } = open(server);
    await seconds(10);
    server.end();
    server.ticket = "newer";
    await seconds(1200);
    expect(server.submitted).toEqual([]);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith({ attempt: graded(), isTimeOver: true, lost: 0 });
  });

  test("comes early when the server says so", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    server.duration = 5;
    await seconds(10);
    session.answer("q1", { optionIds: ["a"] });
    await wait();
    // The page confirms that this attempt is the one to submit.
    expect(server.asked).toEqual(["save", "look", "submit"]);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith({ attempt: graded(), isTimeOver: true, lost: 1 });
  });

  test("an early submission saves first, and then submits what could not be saved", async () => {
    const server = new Server();
    const { session, onEnd } = open(server);
    session.answer("q3", { text: "кот" });
    session.submit();
    await wait();
    expect(server.asked).toEqual(["save", "submit"]);
    expect(server.submitted).toMatchObject([{ answers: [] }]);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith({ attempt: graded(), isTimeOver: false, lost: 0 });
  });
});
