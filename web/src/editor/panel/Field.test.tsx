import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Field } from "./Field";

afterEach(cleanup);

const field = () => screen.getByRole<HTMLInputElement>("textbox");
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const fieldWith = (value: string) => <Field label="Caption" value={value} onChange={vi.fn()} />;

test("keeps the typed text when the block returns an earlier one", () => {
  const { rerender } = render(fieldWith(""));
  type("a");
  type("ab");
  rerender(fieldWith("a"));
  expect(field().value).toBe("ab");
  rerender(fieldWith("ab"));
  expect(field().value).toBe("ab");
});

test("keeps spaces at the end that the block does not store", () => {
  const { rerender } = render(fieldWith(""));
  type("a ");
  rerender(fieldWith("a"));
  expect(field().value).toBe("a ");
});

test("shows a value that was changed elsewhere", () => {
  const { rerender } = render(fieldWith(""));
  type("ab");
  rerender(fieldWith("ab"));
  rerender(fieldWith(""));
  expect(field().value).toBe("");
});
