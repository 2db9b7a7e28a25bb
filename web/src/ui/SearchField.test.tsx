import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SearchField } from "./SearchField";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const field = () => screen.getByRole<HTMLInputElement>("searchbox");
const type = (words: string) => fireEvent.change(field(), { target: { value: words } });
const pause = () => act(() => vi.advanceTimersByTime(200));

test("keeps the typed text while the address has the old text", () => {
  const onSearch = vi.fn();
  const { rerender } = render(<SearchField label="Search" value="" onSearch={onSearch} />);
  type("ab");
  rerender(<SearchField label="Search" value="" onSearch={onSearch} />);
  expect(field().value).toBe("ab");
});

test("writes the text into the address when typing pauses", () => {
  const onSearch = vi.fn();
  render(<SearchField label="Search" value="" onSearch={onSearch} />);
  type("a");
  type("ab");
  expect(onSearch).not.toHaveBeenCalled();
  pause();
  expect(onSearch.mock.calls).toEqual([["ab"]]);
});

test("a late update of the address does not overwrite newer typing", () => {
  const { rerender } = render(<SearchField label="Search" value="" onSearch={() => {}} />);
  type("ab");
  pause();
  type("abc");
  pause();
  rerender(<SearchField label="Search" value="ab" onSearch={() => {}} />);
  expect(field().value).toBe("abc");
  rerender(<SearchField label="Search" value="abc" onSearch={() => {}} />);
  expect(field().value).toBe("abc");
});

test("shows a text that something else writes into the address", () => {
  const { rerender } = render(<SearchField label="Search" value="ab" onSearch={() => {}} />);
  rerender(<SearchField label="Search" value="" onSearch={() => {}} />);
  expect(field().value).toBe("");
});
