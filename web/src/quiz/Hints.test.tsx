import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startI18n } from "../testing/startI18n";
import { Hints } from "./Hints";
import { said } from "./testing";

beforeAll(startI18n);
afterEach(cleanup);

const button = (name: string) => screen.getByRole("button", { name });

test("hints are opened one at a time by keyboard, and each takes the focus", async () => {
  render(<Hints hints={[said("Сложите"), said("Два и два")]} />);
  expect(screen.queryByRole("note")).toBeNull();
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  const first = screen.getByRole("note", { name: "Подсказка 1 из 2" });
  expect(document.activeElement).toBe(first);
  expect(document.getElementById(first.getAttribute("aria-describedby") ?? "")?.textContent).toBe("Сложите");
  await userEvent.tab();
  expect(document.activeElement).toBe(button("Подсказка 2 из 2"));
  await userEvent.keyboard(" ");
  expect(document.activeElement?.textContent).toContain("Два и два");
  expect(screen.getAllByRole("note")).toHaveLength(2);
  expect(screen.queryByRole("button")).toBeNull();
});

test("opened hints stay when the author changes them, and one hint has no number", () => {
  const { rerender } = render(<Hints hints={[said("Сложите"), said("Два и два")]} />);
  button("Подсказка 1 из 2").click();
  rerender(<Hints hints={[said("Умножьте")]} />);
  expect(screen.getByRole("note", { name: "Подсказка" }).textContent).toContain("Умножьте");
  rerender(<Hints hints={[]} />);
  expect(screen.queryByRole("note")).toBeNull();
});
