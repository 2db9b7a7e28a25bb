import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startI18n } from "../../testing/startI18n";
import { questions } from "../testing";
import { Choice } from "./Choice";

beforeAll(startI18n);
afterEach(cleanup);

const describedBy = (allOrNothing: boolean) => {
  const question = { ...questions.multiple, allOrNothing };
  render(
    <Choice question={question} answer={undefined} onAnswer={() => {}} disabled={false} labelledBy="p" />,
  );
  const group = screen.getByRole("group");
  return document.getElementById(group.getAttribute("aria-describedby") ?? "")?.textContent;
};

test("a question says when only a fully right answer counts", () => {
  expect(describedBy(false)).toBe("Выберите все подходящие варианты");
  cleanup();
  expect(describedBy(true)).toContain("Засчитывается только полностью верный ответ");
});
