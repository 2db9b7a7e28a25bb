import { describe, expect, test, vi } from "vitest";
import { answers, copyOf, kept, open, Server, seconds, wait } from "./sessionTesting";
import { graded, quizPage } from "./testing";

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
    expect(session.clock.left()).toBeCloseTo(600);
    vi.setSystemTime(new Date("2020-01-01T00:00:00Z"));
    session.answer("q1", { optionIds: ["a"] });
    await seconds(10);
    expect(server.times[0]).toBeCloseTo(600);
    expect(session.clock.left()).toBeCloseTo(590);
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
    expect(session.clock.graceLeft() > 0).toBe(true);
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
    expect(session.clock.graceLeft() > 0).toBe(false);
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

describe("without an end", () => {
  test("answers are saved and submitted at any time", async () => {
    const server = new Server();
    server.duration = null;
    const { session, onEnd } = open(server);
    expect(session.clock.left()).toBe(Number.POSITIVE_INFINITY);
    await seconds(30 * 24 * 3600);
    expect(session.state.get().phase).toBe("answering");
    session.answer("q1", { optionIds: ["a"] });
    await wait();
    expect(answers(server)).toEqual({ q1: { optionIds: ["a"] } });
    expect(session.clock.graceLeft() > 0).toBe(true);
    session.submit();
    await wait();
    expect(onEnd).toHaveBeenCalledWith({ attempt: graded(), isTimeOver: false, lost: 0 });
  });

  test("an end in some months is reached, although no timer waits so long", async () => {
    const server = new Server();
    server.duration = 60 * 24 * 3600;
    const { session } = open(server);
    await seconds(60 * 24 * 3600 - 5);
    expect(session.state.get().phase).toBe("answering");
    await seconds(10);
    expect(session.state.get().phase).not.toBe("answering");
  });
});
