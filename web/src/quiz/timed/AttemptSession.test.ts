import { describe, expect, test } from "vitest";
import { mayLeave } from "../../ui/unsaved";
import { answers, copyOf, kept, open, Server, seconds, wait } from "./sessionTesting";
import { graded, shown } from "./testing";

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
    expect(server.asked.slice(0, 3)).toEqual(["look", "save", "save"]);
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
    // It was given long ago, so another device may have answered since.
    expect(server.asked).toEqual(["save", "look"]);
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

describe("another device in the same attempt", () => {
  const choice = (id: string) => ({ __typename: "ChoiceAnswer" as const, questionId: "q1", optionIds: [id] });
  const text = { __typename: "TextAnswer" as const, questionId: "q3", text: "кот" };

  test("has given newer answers: they are shown when a late save has lost to them, before it says «saved»", async () => {
    const server = new Server();
    const { session } = open(server);
    server.isOffline = true;
    session.answer("q1", { optionIds: ["a"] });
    await seconds(60);
    server.isOffline = false;
    server.kept = [choice("b"), text];
    server.delay = 100;
    window.dispatchEvent(new Event("online"));
    await wait(250);
    expect(session.isSettled()).toBe(true);
    expect(session.state.get().isComparing).toBe(true);
    await wait(100);
    expect(server.asked).toEqual(["look", "save", "look"]);
    expect(session.state.get()).toMatchObject({
      answers: { q1: { optionIds: ["b"] }, q3: { text: "кот" } },
      isComparing: false,
    });
  });

  test("is followed when the window gets the focus, and what is being typed stays", async () => {
    const server = new Server();
    const { session } = open(server);
    await seconds(10);
    server.kept = [choice("b"), text];
    server.delay = 100;
    window.dispatchEvent(new Event("focus"));
    await wait(50);
    session.answer("q3", { text: "собака" });
    await wait(100);
    expect(session.state.get().answers).toEqual({ q1: { optionIds: ["b"] }, q3: { text: "собака" } });
  });

  test("is followed with a save, seldom", async () => {
    const server = new Server();
    const { session } = open(server);
    await seconds(20);
    server.kept = [text, choice("a")];
    session.answer("q1", { optionIds: ["a"] });
    await wait();
    expect(session.state.get().answers).toEqual({ q1: { optionIds: ["a"] }, q3: { text: "кот" } });
    session.answer("q1", { optionIds: ["b"] });
    await wait();
    expect(server.asked).toEqual(["save", "look", "save"]);
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
    const number = { __typename: "NumberAnswer" as const, questionId: "q4", number: "16", unit: null };
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

  test("keeps a unit that was chosen before its number, which the server cannot store", async () => {
    const asked = shown.map((question) =>
      question.__typename === "NumericQuestion" ? { ...question, units: ["м", "км"] } : question,
    );
    const server = new Server();
    const before = open(server, {}, asked);
    before.session.answer("q4", { unit: "км" });
    await seconds(2);
    expect(kept(server)).toEqual([]);
    before.session.leave();
    const { session } = open(server, {}, asked);
    expect(session.state.get().answers).toEqual({ q4: { unit: "км" } });
    session.answer("q4", { unit: "км", number: "5" });
    await seconds(2);
    expect(answers(server)).toEqual({ q4: { unit: "км", number: "5" } });
    // What the server has is newer than the unit alone.
    const number = { __typename: "NumberAnswer" as const, questionId: "q4", number: "5", unit: "км" };
    const { session: next } = open(server, { answers: [number] }, asked);
    expect(next.state.get().answers).toEqual({ q4: { number: "5", unit: "км" } });
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
