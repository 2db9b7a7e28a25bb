import { afterEach, expect, test } from "vitest";
import { endSession, storeToken } from "../api/session";
import { confirmAll, coverAll, isCovered, noticeState, setUnread, shownUnread } from "./state";

const shown = () => shownUnread(noticeState.get());
const covers = (id: string) => isCovered({ id }, noticeState.get().readUpTo);

afterEach(() => {
  storeToken("a.b.c");
  endSession();
});

test("nothing is shown until the number is known", () => {
  expect(shown()).toBe(0);
  setUnread(3);
  expect(shown()).toBe(3);
});

test("what «Прочитать все» covers is not counted, and what arrives meanwhile is", () => {
  setUnread(3);
  coverAll("05");
  expect(shown()).toBe(0);
  setUnread(4);
  expect(shown()).toBe(1);
  expect([covers("04"), covers("05"), covers("06")]).toEqual([true, true, false]);
  confirmAll(1);
  expect(shown()).toBe(1);
  expect([covers("05"), covers("06")]).toEqual([true, false]);
});

test("undoing it counts them again", () => {
  setUnread(3);
  const undo = coverAll("05");
  undo();
  expect([shown(), covers("05")]).toEqual([3, false]);
});

test("undoing the second one keeps the first", () => {
  setUnread(3);
  coverAll("05");
  confirmAll(0);
  setUnread(2);
  coverAll("07")();
  expect([shown(), covers("05"), covers("06")]).toEqual([2, true, false]);
});

test("reading covered notices elsewhere does not make the number negative", () => {
  setUnread(3);
  coverAll("05");
  setUnread(1);
  expect(shown()).toBe(0);
});

test("the next session starts without the number", () => {
  storeToken("a.b.c");
  setUnread(3);
  endSession();
  expect(noticeState.get().unread).toBeNull();
});
