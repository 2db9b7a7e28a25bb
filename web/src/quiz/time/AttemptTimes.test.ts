import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AttemptTimes } from "./AttemptTimes";

const owner = { userId: "me", pageId: "p", attempt: "1" };
const asked = [{ questionId: "a", text: "1" }, { questionId: "b" }, { questionId: "c" }];
let isFocused = true;
let stop = () => {};

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  isFocused = true;
  vi.spyOn(document, "hasFocus").mockImplementation(() => isFocused);
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    return new DOMRect(0, { "question-a": 0, "question-b": 300, "question-c": 600 }[this.id] ?? 0, 100, 300);
  });
  document.body.innerHTML = `<form>${["a", "b", "c"]
    .map((id) => `<section id="question-${id}"><input></section>`)
    .join("")}</form>`;
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function watch(times: AttemptTimes): void {
  stop = times.watch(document.querySelector("form") as HTMLElement);
}
const field = (id: string) => document.querySelector(`#question-${id} input`) as HTMLInputElement;
const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);
const secondsOf = (times: AttemptTimes) =>
  Object.fromEntries(times.withSeconds(asked).map(({ questionId, seconds }) => [questionId, seconds]));

test("time goes to the middle of the window at first, and then to the question in use", () => {
  const times = new AttemptTimes(owner);
  watch(times);
  pass(10);
  field("a").focus();
  pass(20);
  field("a").blur();
  pass(5);
  expect(secondsOf(times)).toEqual({ a: 25, b: 10, c: undefined });
  expect(times.withSeconds(asked)[0]).toEqual({ questionId: "a", text: "1", seconds: 25 });
});

test("a window without the focus and a hidden page count nothing", () => {
  const times = new AttemptTimes(owner);
  watch(times);
  field("c").focus();
  pass(3);
  isFocused = false;
  window.dispatchEvent(new Event("blur"));
  pass(30);
  isFocused = true;
  window.dispatchEvent(new Event("focus"));
  pass(2);
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  pass(30);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(secondsOf(times).c).toBe(5);
});

test("a learner who does nothing for a minute is away until the next movement", () => {
  const times = new AttemptTimes(owner);
  watch(times);
  field("a").focus();
  pass(600);
  expect(secondsOf(times).a).toBe(60);
  window.dispatchEvent(new Event("scroll"));
  pass(10);
  expect(secondsOf(times).a).toBe(70);
});

test("time survives a reload, but not the end of its attempt", () => {
  const first = new AttemptTimes(owner);
  watch(first);
  field("b").focus();
  pass(12);
  stop();
  const second = new AttemptTimes(owner);
  expect(secondsOf(second).b).toBe(12);
  expect(secondsOf(new AttemptTimes({ ...owner, attempt: "2" })).b).toBeUndefined();
  watch(second);
  second.forget();
  pass(30);
  stop();
  expect(secondsOf(new AttemptTimes(owner)).b).toBeUndefined();
});

test("what another version of the app has stored is not taken", () => {
  localStorage.setItem("quiz-times:me:p", JSON.stringify({ attempt: "1", seconds: { a: "5", b: 4 } }));
  expect(secondsOf(new AttemptTimes(owner))).toEqual({ a: undefined, b: 4, c: undefined });
  localStorage.setItem("quiz-times:me:p", "{");
  expect(secondsOf(new AttemptTimes(owner)).b).toBeUndefined();
});
