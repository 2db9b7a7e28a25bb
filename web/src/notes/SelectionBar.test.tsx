import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { textIn } from "../comments/shownText";
import { startI18n } from "../testing/startI18n";
import { SelectionBar } from "./SelectionBar";

beforeAll(() => startI18n());
beforeEach(() => {
  // jsdom has no layout.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect(10, 20, 30, 10);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  getSelection()?.removeAllRanges();
  document.body.innerHTML = "";
});

function open(isHighlighted = true) {
  const holder = document.createElement("div");
  holder.innerHTML = "<div><p>Первый абзац</p><p>Второй абзац</p></div>";
  document.body.append(holder);
  const [first, second] = [...holder.querySelectorAll("p")];
  if (!first || !second) throw new Error("no text");
  const onHighlight = vi.fn(async () => isHighlighted);
  const onNote = vi.fn();
  render(
    <SelectionBar
      text={textIn(holder, null)}
      wordsOf={(block, range) => ({ block, start: 0, quote: String(range) })}
      onHighlight={onHighlight}
      onNote={onNote}
    />,
  );
  return { first, second, onHighlight, onNote };
}

const select = (element: HTMLElement) => getSelection()?.selectAllChildren(element);
const shown = async () => {
  act(() => void document.dispatchEvent(new Event("selectionchange")));
  return await screen.findByRole("toolbar");
};
const words = { block: 0, start: 0, quote: "Первый абзац" };

test("the words stay selected until they are highlighted, and then the text has the focus", async () => {
  const { first, onHighlight } = open();
  select(first);
  await shown();
  fireEvent.click(screen.getByRole("button", { name: "Отметить: зелёный цвет" }));
  expect(onHighlight).toHaveBeenCalledWith(words, "GREEN");
  expect(String(getSelection())).toBe("Первый абзац");
  await waitFor(() => expect(screen.queryByRole("toolbar")).toBeNull());
  expect(getSelection()?.isCollapsed ?? true).toBe(true);
  expect(document.activeElement).toBe(first);
});

test("words that could not be highlighted are still selected", async () => {
  const { first } = open(false);
  select(first);
  await shown();
  fireEvent.click(screen.getByRole("button", { name: "Отметить: жёлтый цвет" }));
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Отметить: жёлтый цвет" }).disabled).toBe(
      false,
    ),
  );
  expect(String(getSelection())).toBe("Первый абзац");
});

test("without a network words cannot be highlighted, but noted", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { first, onNote } = open();
  select(first);
  await shown();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Отметить: жёлтый/ }).disabled).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Заметка" }));
  expect(onNote).toHaveBeenCalledWith(words);
  vi.restoreAllMocks();
});

test("Alt+N notes what is selected now, also before the bar has followed", async () => {
  const { first, second, onNote } = open();
  select(first);
  await shown();
  select(second);
  fireEvent.keyDown(window, { code: "KeyN", altKey: true });
  expect(onNote).toHaveBeenCalledWith({ block: 1, start: 0, quote: "Второй абзац" });
  expect(document.activeElement).toBe(second);
});
