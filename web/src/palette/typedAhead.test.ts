// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keepTyped } from "./typedAhead";

const field = document.createElement("input");
const giveUp = vi.fn();

function press(key: string, modifiers: KeyboardEventInit = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...modifiers });
  field.dispatchEvent(event);
  return event.defaultPrevented;
}

beforeEach(() => {
  document.body.append(field);
  giveUp.mockClear();
});
afterEach(() => field.remove());

describe("while the palette is loading", () => {
  test("typed characters are kept for its field and reach no other element", () => {
    const kept = keepTyped(giveUp);
    expect([..."Тест"].map((key) => press(key))).toEqual([true, true, true, true]);
    press("Backspace");
    press(" ");
    press("2");
    // There is no result yet: Enter chooses nothing and submits no form.
    expect(press("Enter")).toBe(true);
    expect(kept.take()).toBe("Тес 2");
    expect(press("x")).toBe(false);
  });

  test("browser shortcuts and modifier keys keep their function", () => {
    const kept = keepTyped(giveUp);
    expect(press("r", { ctrlKey: true })).toBe(false);
    expect(press("Shift")).toBe(false);
    expect(press("F5")).toBe(false);
    expect(kept.take()).toBe("");
  });

  test.each(["Escape", "Tab"])("%s cancels it", (key) => {
    keepTyped(giveUp);
    press(key);
    expect(giveUp).toHaveBeenCalledOnce();
    expect(press("x")).toBe(false);
  });

  test("a click elsewhere cancels it", () => {
    keepTyped(giveUp);
    field.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(giveUp).toHaveBeenCalledOnce();
    expect(press("x")).toBe(false);
  });
});
