import { describe, expect, test } from "vitest";
import { questions } from "../testing";
import { answers, kept, open, Server, seconds, wait } from "../timed/sessionTesting";
import { checkedResult, running } from "../timed/testing";
import { nextOpen } from "./checks";

const { text, number } = questions;

describe("checking an answer", () => {
  test("fixes it here and on the server", async () => {
    const server = new Server();
    const { session } = open(server);
    session.answer(text.id, { text: "right" });
    void session.check(text.id);
    expect(session.state.get().checks.running).toBe(text.id);
    session.answer(text.id, { text: "changed" });
    await wait();
    const { checks, answers: shown } = session.state.get();
    expect([checks.running, checks.results[text.id]?.correct, shown[text.id]]).toEqual([
      null,
      true,
      { text: "right" },
    ]);
    session.answer(text.id, { text: "changed" });
    await seconds(5);
    expect(answers(server)).toEqual({ [text.id]: { text: "right" } });
    expect(kept(server)).toEqual([]);
    expect(session.isSettled()).toBe(true);
  });

  test("sends one request, even if it is asked for twice", async () => {
    const server = new Server();
    server.delay = 500;
    const { session } = open(server);
    session.answer(text.id, { text: "wrong" });
    void session.check(text.id);
    void session.check(text.id);
    await seconds(1);
    void session.check(text.id);
    await seconds(1);
    expect(server.asked.filter((name) => name === "check")).toHaveLength(1);
  });

  test("shows the answer of the device that checked first", async () => {
    const server = new Server();
    const { session } = open(server);
    session.answer(text.id, { text: "wrong" });
    server.fix(text.id, { text: "right" });
    void session.check(text.id);
    await wait();
    expect(session.state.get().answers[text.id]).toEqual({ text: "right" });
    expect(session.state.get().checks.results[text.id]?.correct).toBe(true);
  });

  test("fails without a network, keeps the answer and can be repeated", async () => {
    const server = new Server();
    const { session } = open(server);
    server.isOffline = true;
    session.answer(text.id, { text: "right" });
    await session.check(text.id);
    expect(session.state.get().checks).toMatchObject({
      running: null,
      failure: { questionId: text.id, reason: null },
    });
    expect(kept(server)).toEqual([text.id]);
    // It can still be changed, because nothing was checked.
    session.answer(text.id, { text: "wrong" });
    server.isOffline = false;
    await session.check(text.id);
    expect(session.state.get().checks).toMatchObject({ failure: null });
    expect(server.checked.get(text.id)?.correct).toBe(false);
    expect(kept(server)).toEqual([]);
  });

  test("shows why the server refused it, and leaves the answer open", async () => {
    const server = new Server();
    const { session } = open(server);
    server.refused.add(text.id);
    session.answer(text.id, { text: "right" });
    await session.check(text.id);
    expect(session.state.get().checks.failure).toEqual({ questionId: text.id, reason: "Не подходит" });
    server.refused.clear();
    session.answer(text.id, { text: "wrong" });
    await session.check(text.id);
    expect(session.state.get().checks.failure).toBeNull();
  });

  test("ends the attempt when the time is over", async () => {
    const server = new Server();
    server.duration = 10;
    const { session } = open(server);
    session.answer(text.id, { text: "right" });
    await seconds(11);
    await session.check(text.id);
    expect(server.asked).not.toContain("check");
    expect(session.state.get().checks.results).toEqual({});
  });
});

describe("a question that was checked on another device", () => {
  test("is shown after a reload, and its own answer is no longer sent", async () => {
    const server = new Server();
    const { session } = open(server);
    server.isOffline = true;
    session.answer(text.id, { text: "wrong" });
    session.answer(number.id, { number: "1" });
    await wait();
    session.leave();
    server.isOffline = false;
    server.fix(text.id, { text: "right" });
    const again = open(server, {
      answers: server.page().runningAttempt?.answers ?? [],
      checked: [checkedResult(text.id, true)],
    }).session;
    expect(again.state.get().answers[text.id]).toEqual({ text: "right" });
    await seconds(1);
    expect(answers(server)).toEqual({ [text.id]: { text: "right" }, [number.id]: { number: "1" } });
  });

  test("is read with the page", async () => {
    const server = new Server();
    const { session } = open(server);
    session.answer(text.id, { text: "wrong" });
    await seconds(2);
    server.fix(text.id, { text: "right" });
    session.follow(server.page());
    await seconds(1);
    expect(session.state.get().answers[text.id]).toEqual({ text: "right" });
    expect(session.state.get().checks.results[text.id]?.correct).toBe(true);
    // An older response takes nothing back.
    session.follow({ ...server.page(), runningAttempt: running({ ticket: server.ticket }) });
    expect(session.state.get().checks.results[text.id]?.correct).toBe(true);
  });

  test("is read from the server after a save skipped its question", async () => {
    const server = new Server();
    const { session } = open(server);
    server.fix(text.id, { text: "right" });
    session.answer(text.id, { text: "wrong" });
    session.flush();
    await seconds(1);
    expect(session.state.get().answers[text.id]).toEqual({ text: "right" });
    expect(session.state.get().checks.results[text.id]?.correct).toBe(true);
  });
});

test("the next question is the next one that is left, from the beginning after the last", () => {
  const left =
    (...open: number[]) =>
    (at: number) =>
      open.includes(at);
  const all = [0, 1, 2, 3];
  expect(nextOpen(all, 1, left(0, 1, 3))).toBe(3);
  expect(nextOpen(all, 3, left(0, 3))).toBe(0);
  expect(nextOpen(all, 3, left(3))).toBeNull();
});
