import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { startI18n } from "../../testing/startI18n";
import type { Answer } from "../model";
import { questions } from "../testing";
import { Hotspot } from "./Hotspot";

beforeAll(async () => {
  await startI18n();
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 200, 100));
});
afterEach(cleanup);

let answer: Answer | undefined;

function Answering({ maxPlaces, disabled = false }: { maxPlaces: number; disabled?: boolean }) {
  const [given, setGiven] = useState<Answer>();
  answer = given;
  return (
    <Hotspot
      question={{ ...questions.hotspot, maxPlaces }}
      answer={given}
      onAnswer={setGiven}
      disabled={disabled}
      labelledBy="p"
    />
  );
}

const surface = () => screen.getByRole("application", { name: "Поле для отметок" });
const said = () => screen.getByRole("status").textContent;
const click = (x: number, y: number) => fireEvent.click(surface(), { clientX: x, clientY: y });
const marker = (name: RegExp) => screen.getByRole("button", { name });

test("a click marks a place, and the next one moves the only mark", () => {
  render(<Answering maxPlaces={1} />);
  expect(screen.getByRole("img", { name: "Сердце в разрезе" })).toBeTruthy();
  click(80, 25);
  expect(answer).toEqual({ places: [{ x: 40, y: 25 }] });
  expect(said()).toBe("Отметка 1: 40 % слева, 25 % сверху");
  click(25, 50);
  expect(answer).toEqual({ places: [{ x: 12.5, y: 50 }] });
  expect(marker(/^Отметка 1: 12,5 % слева, 50 % сверху/)).toBeTruthy();
});

test("no more places are marked than the question takes", async () => {
  render(<Answering maxPlaces={2} />);
  click(20, 20);
  click(40, 40);
  click(60, 60);
  expect(answer?.places).toHaveLength(2);
  expect(said()).toMatch(/^Чтобы отметить другое место/);
  await userEvent.click(screen.getByRole("button", { name: "Убрать отметку 1" }));
  expect(answer).toEqual({ places: [{ x: 20, y: 40 }] });
  expect(document.activeElement).toBe(surface());
});

test("the keyboard aims, marks, moves and removes", async () => {
  const user = userEvent.setup();
  render(<Answering maxPlaces={2} />);
  surface().focus();
  await user.keyboard("{ArrowLeft}{ArrowLeft}{Shift>}{ArrowUp}{/Shift}");
  expect(said()).toBe("Прицел: 48 % слева, 45 % сверху");
  await user.keyboard("{Enter}");
  expect(answer).toEqual({ places: [{ x: 48, y: 45 }] });
  await user.keyboard("{ArrowRight} ");
  expect(answer?.places).toEqual([
    { x: 48, y: 45 },
    { x: 49, y: 45 },
  ]);
  await user.tab();
  expect(document.activeElement).toBe(marker(/^Отметка 1: 48/));
  await user.keyboard("{ArrowDown}");
  expect(said()).toBe("Отметка 1: 48 % слева, 46 % сверху");
  await user.keyboard("{Delete}");
  expect(answer).toEqual({ places: [{ x: 49, y: 45 }] });
  expect(said()).toBe("Отметка 1 убрана");
});

test("places are given as numbers too", async () => {
  const user = userEvent.setup();
  render(<Answering maxPlaces={1} />);
  await user.click(screen.getByText("Указать числами"));
  await user.click(screen.getByRole("button", { name: "Добавить отметку" }));
  const left = screen.getByRole("textbox", { name: "Отметка 1: слева, %" });
  await user.clear(left);
  await user.type(left, "12,3456");
  expect(answer).toEqual({ places: [{ x: 12.346, y: 50 }] });
  await user.clear(left);
  await user.type(left, "101");
  expect(left.getAttribute("aria-invalid")).toBe("true");
  await user.tab();
  // What is over the edge was not taken.
  expect(answer).toEqual({ places: [{ x: 10, y: 50 }] });
  expect((left as HTMLInputElement).value).toBe("10");
});

test("a drag changes the answer once, at its end", () => {
  const answered = vi.fn();
  HTMLElement.prototype.setPointerCapture = () => {};
  HTMLElement.prototype.hasPointerCapture = () => true;
  render(
    <Hotspot
      question={questions.hotspot}
      answer={{ places: [{ x: 50, y: 50 }] }}
      onAnswer={answered}
      disabled={false}
      labelledBy="p"
    />,
  );
  const mark = marker(/^Отметка 1/);
  // The middle of the marker is at (100, 50) by the rectangle above.
  fireEvent.pointerDown(mark, { button: 0, clientX: 102, clientY: 50 });
  fireEvent.pointerUp(mark, { clientX: 102, clientY: 50 });
  expect(answered).not.toHaveBeenCalled();
  fireEvent.pointerDown(mark, { button: 0, clientX: 102, clientY: 50 });
  act(() => void fireEvent.pointerMove(mark, { clientX: 150, clientY: 60 }));
  act(() => void fireEvent.pointerMove(mark, { clientX: 162, clientY: 80 }));
  expect(answered).not.toHaveBeenCalled();
  fireEvent.pointerUp(mark, { clientX: 162, clientY: 80 });
  expect(answered.mock.calls).toEqual([[{ places: [{ x: 80, y: 80 }] }]]);
});

test("a locked question takes no marks", () => {
  render(<Answering maxPlaces={1} disabled />);
  click(80, 25);
  expect(answer).toBeUndefined();
  expect(within(screen.getByRole("group")).queryByText("Указать числами")).toBeNull();
});
