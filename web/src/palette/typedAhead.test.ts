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

describe("while the palette is on its way", () => {
  test("letters are kept for it and go nowhere else", () => {
    const kept = keepTyped(giveUp);
    expect([..."Тест"].map((key) => press(key))).toEqual([true, true, true, true]);
    press("Backspace");
    press(" ");
    press("2");
    // The first result is not there yet: nothing is chosen, and no form below is sent.
    expect(press("Enter")).toBe(true);
    expect(kept.take()).toBe("Тес 2");
    expect(press("x")).toBe(false);
  });

  test("shortcuts of the browser and modifiers stay what they are", () => {
    const kept = keepTyped(giveUp);
    expect(press("r", { ctrlKey: true })).toBe(false);
    expect(press("Shift")).toBe(false);
    expect(press("F5")).toBe(false);
    expect(kept.take()).toBe("");
  });

  test.each(["Escape", "Tab"])("%s turns away from it", (key) => {
    keepTyped(giveUp);
    press(key);
    expect(giveUp).toHaveBeenCalledOnce();
    expect(press("x")).toBe(false);
  });

  test("so does a press elsewhere", () => {
    keepTyped(giveUp);
    field.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(giveUp).toHaveBeenCalledOnce();
    expect(press("x")).toBe(false);
  });
});
