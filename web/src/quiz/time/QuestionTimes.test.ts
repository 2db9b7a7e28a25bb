import { expect, test } from "vitest";
import { QuestionTimes } from "./QuestionTimes";

/** Times with a clock of seconds, which begins with an action of the learner. */
function begun(before = {}) {
  const times = new QuestionTimes(before);
  times.act(0);
  return {
    times,
    attend: (question: string | null, at: number) => times.attend(question, at * 1000),
    act: (at: number) => times.act(at * 1000),
  };
}

test("time is counted for the question that has the attention", () => {
  const { times, attend } = begun();
  attend("a", 0);
  attend("b", 12.34);
  attend("a", 20);
  attend(null, 21);
  attend("a", 50);
  expect(times.secondsOf("a")).toBe(13.3);
  expect(times.secondsOf("b")).toBe(7.7);
  expect(times.secondsOf("c")).toBeUndefined();
});

test("a minute after the last action the learner is taken to be away", () => {
  const { times, attend, act } = begun();
  attend("a", 0);
  act(10);
  for (let at = 11; at <= 300; at += 1) attend("a", at);
  expect(times.secondsOf("a")).toBe(70);
  act(300);
  attend("a", 305);
  expect(times.secondsOf("a")).toBe(75);
});

test("a device that slept counts no more than a minute", () => {
  const { times, attend, act } = begun();
  attend("a", 0);
  act(40_000);
  attend("a", 40_001);
  expect(times.secondsOf("a")).toBe(61);
});

test("time goes on where an earlier visit ended, and ends at a day", () => {
  const { times, attend, act } = begun({ a: 30, b: 86_399.9 });
  attend("a", 0);
  act(5);
  attend("b", 5);
  attend(null, 15);
  expect(times.all()).toEqual({ a: 35, b: 86_409.9 });
  expect(times.secondsOf("a")).toBe(35);
  expect(times.secondsOf("b")).toBe(86_400);
});
