import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { questions } from "../../quiz/testing";
import { renderInRouter } from "../../testing/renderInRouter";
import { runToastAction, toastStore } from "../../ui/toasts";
import { missingInQuestion } from "../completeness";
import { type AuthorQuestion, copyOf, type HotspotQuestion, newQuestion } from "../model";
import { problemsOf } from "../problems";
import { HotspotEditor } from "./HotspotEditor";

beforeAll(() => {
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 200, 100));
  HTMLElement.prototype.setPointerCapture = () => {};
});
beforeEach(() => {
  question = { ...empty, picture: questions.hotspot.picture };
});
afterEach(cleanup);

const empty = newQuestion("hotspot") as HotspotQuestion;
let question: HotspotQuestion = empty;

function Editing({ initial }: { initial: HotspotQuestion }) {
  const [now, setNow] = useState<AuthorQuestion>(initial);
  question = now as HotspotQuestion;
  const missing = missingInQuestion(now).map(([at, lack]) => ({ question: 0, at, lack }));
  return (
    <HotspotEditor
      question={question}
      onChange={setNow}
      onEdit={setNow}
      problemAt={problemsOf(missing, null, (lack) => lack)}
    />
  );
}

const open = () => renderInRouter(<Editing initial={question} />);
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const zone = (number: number) => button(new RegExp(`^Область ${number}`));
const field = (name: string) => screen.getByRole("textbox", { name });
const surface = () => document.querySelector("[data-surface]") as HTMLElement;
const drag = (target: Element, from: [number, number], to: [number, number]) => {
  fireEvent.pointerDown(target, { button: 0, clientX: from[0], clientY: from[1] });
  fireEvent.pointerMove(target, { clientX: to[0], clientY: to[1] });
  fireEvent.pointerUp(target, { clientX: to[0], clientY: to[1] });
};

describe("by pointer", () => {
  test("a drag draws a rectangle, which is selected, moved and resized", async () => {
    await open();
    drag(surface(), [20, 20], [80, 40]);
    expect(question.zones).toMatchObject([{ shape: "rectangle", x: 10, y: 20, width: 30, height: 20 }]);
    expect(zone(1).getAttribute("aria-expanded")).toBe("true");
    drag(document.querySelector("[data-grip]") as Element, [40, 30], [60, 20]);
    expect(question.zones).toMatchObject([{ x: 20, y: 10, width: 30, height: 20 }]);
    drag(document.querySelectorAll("[data-handle]")[3] as Element, [100, 30], [140, 60]);
    expect(question.zones).toMatchObject([{ x: 20, y: 10, width: 50, height: 50 }]);
    await userEvent.click(button("Отменить"));
    expect(question.zones).toMatchObject([{ x: 20, y: 10, width: 30, height: 20 }]);
    await userEvent.click(button("Отменить"));
    expect(question.zones).toMatchObject([{ x: 10, y: 20, width: 30, height: 20 }]);
  });

  test("a press without a drag selects and changes nothing", async () => {
    await open();
    drag(surface(), [20, 20], [80, 40]);
    const before = question.zones;
    fireEvent.pointerDown(surface(), { button: 0, clientX: 190, clientY: 90 });
    fireEvent.pointerUp(surface(), { clientX: 190, clientY: 90 });
    expect(zone(1).getAttribute("aria-expanded")).toBe("false");
    fireEvent.pointerDown(surface(), { button: 0, clientX: 30, clientY: 30 });
    fireEvent.pointerUp(surface(), { clientX: 30, clientY: 30 });
    expect(zone(1).getAttribute("aria-expanded")).toBe("true");
    expect(question.zones).toBe(before);
  });

  test("clicks draw a polygon, and its first corner closes it", async () => {
    await open();
    await userEvent.click(button("Многоугольник"));
    for (const [clientX, clientY] of [
      [20, 20],
      [100, 20],
      [60, 80],
    ])
      fireEvent.pointerDown(surface(), { button: 0, clientX, clientY });
    expect(question.zones).toEqual([]);
    fireEvent.keyDown(surface(), { key: "Backspace" });
    expect((button("Готово") as HTMLButtonElement).disabled).toBe(true);
    fireEvent.pointerDown(surface(), { button: 0, clientX: 100, clientY: 90 });
    fireEvent.pointerDown(surface(), { button: 0, clientX: 21, clientY: 21 });
    expect(question.zones).toMatchObject([
      {
        shape: "polygon",
        corners: [
          { x: 10, y: 20 },
          { x: 50, y: 20 },
          { x: 50, y: 90 },
        ],
      },
    ]);
    drag(document.querySelectorAll("[data-handle]")[1] as Element, [100, 20], [180, 10]);
    expect(question.zones).toMatchObject([{ corners: [{}, { x: 90, y: 10 }, {}] }]);
  });
});

describe("by keyboard", () => {
  test("a zone is added, given its shape and numbers, moved by arrow keys and removed", async () => {
    const user = userEvent.setup();
    await open();
    button("Добавить область").focus();
    await user.keyboard("{Enter}");
    expect(document.activeElement).toBe(zone(1));
    await user.selectOptions(screen.getByRole("combobox", { name: "Форма" }), "ellipse");
    for (const [name, value] of [
      ["Слева", "10"],
      ["Сверху", "20,5"],
      ["Ширина", "30"],
      ["Высота", "15"],
    ] as const) {
      await user.clear(field(name));
      await user.type(field(name), value);
    }
    expect(question.zones).toMatchObject([{ shape: "ellipse", x: 25, y: 28, radius_x: 15, radius_y: 7.5 }]);
    zone(1).focus();
    await user.keyboard("{ArrowRight}{Shift>}{ArrowDown}{/Shift}");
    expect(question.zones).toMatchObject([{ x: 26, y: 33 }]);
    expect(screen.getByRole("status").textContent).toBe("Область 1: 11 % слева, 25,5 % сверху");
    await user.keyboard("{Control>}z{/Control}");
    expect(question.zones).toMatchObject([{ x: 26, y: 28 }]);
    await user.keyboard("{Delete}");
    expect(question.zones).toEqual([]);
    await act(async () => runToastAction(Number(toastStore.get().at(-1)?.id)));
    expect(question.zones).toMatchObject([{ x: 26, y: 28 }]);
  });

  test("numeric fields keep a zone inside the picture", async () => {
    const user = userEvent.setup();
    await open();
    await user.click(button("Добавить область"));
    await user.clear(field("Слева"));
    await user.type(field("Слева"), "77");
    expect(screen.getByText(/Число от 0 до 76/)).toBeTruthy();
    expect(question.zones).toMatchObject([{ x: 7, width: 24 }]);
  });

  test("the corners of a polygon are numbers too", async () => {
    const user = userEvent.setup();
    await open();
    await user.click(button("Добавить область"));
    await user.selectOptions(screen.getByRole("combobox", { name: "Форма" }), "polygon");
    await user.click(screen.getByText("4 вершины"));
    await user.clear(field("Вершина 2, слева"));
    await user.type(field("Вершина 2, слева"), "90");
    await user.click(button("Добавить вершину"));
    await user.click(button("Убрать вершину 1"));
    const [drawn] = question.zones;
    if (drawn?.shape !== "polygon") throw new Error("not a polygon");
    expect(drawn.corners).toEqual([
      { x: 90, y: 24 },
      { x: 48, y: 48 },
      { x: 24, y: 48 },
      { x: 24, y: 36 },
    ]);
  });
});

test("a question without a picture or zones says so, and all zones may have to be marked", async () => {
  const user = userEvent.setup();
  const lacking = (one: AuthorQuestion) => missingInQuestion(one).map(([at]) => at);
  expect(lacking(empty)).toEqual(["prompt", "picture", "zones"]);
  await open();
  expect(lacking(question)).toEqual(["prompt", "zones"]);
  await user.click(button("Добавить область"));
  expect(lacking(question)).toEqual(["prompt"]);
  expect(screen.queryByRole("checkbox", { name: "Всё или ничего" })).toBeNull();
  await user.click(screen.getByRole("checkbox", { name: "Нужно отметить все области" }));
  await user.click(screen.getByRole("checkbox", { name: "Всё или ничего" }));
  expect(question).toMatchObject({ mark_all: true, all_or_nothing: true });
  const copy = copyOf(question) as HotspotQuestion;
  expect(copy.zones[0]?.id).not.toBe(question.zones[0]?.id);
  expect({ ...copy.zones[0], id: 0 }).toEqual({ ...question.zones[0], id: 0 });
});

test("the description of the picture is kept in its document", async () => {
  await open();
  const alt = field("Описание изображения");
  await userEvent.clear(alt);
  await userEvent.type(alt, "Сердце");
  expect(question.picture).toMatchObject({ content: [{ type: "image", attrs: { alt: "Сердце" } }] });
  await userEvent.clear(alt);
  expect(JSON.stringify(question.picture)).not.toContain("alt");
});
