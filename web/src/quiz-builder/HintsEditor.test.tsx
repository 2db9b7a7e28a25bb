import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { HINTS_MAX } from "../limits.generated";
import { said } from "../quiz/testing";
import { renderInRouter } from "../testing/renderInRouter";
import { runToastAction, toastStore } from "../ui/toasts";
import { HintsEditor } from "./HintsEditor";
import { isEmptyDocument } from "./model";

afterEach(cleanup);

let hints: readonly unknown[];
let addFirst: (hint: unknown) => void;
let reopen: () => void;

function Editing({ initial }: { initial: readonly unknown[] }) {
  const [now, setNow] = useState(initial);
  hints = now;
  addFirst = (hint) => setNow((all) => [hint, ...all]);
  const [isOpen, setOpen] = useState(true);
  reopen = () => {
    act(() => setOpen(false));
    act(() => setOpen(true));
  };
  return isOpen && <HintsEditor hints={now} onEdit={setNow} problemAt={() => null} />;
}

const fields = () => screen.queryAllByRole("textbox").map(({ textContent }) => textContent);
const button = (name: string) => screen.getByRole("button", { name });
const add = () => fireEvent.click(button("Добавить подсказку"));
const undo = () => act(async () => void runToastAction(Number(toastStore.get().at(-1)?.id)));

test("a new hint takes the focus, up to the most that a question has", async () => {
  await renderInRouter(<Editing initial={[said("Первая")]} />);
  add();
  expect(hints).toHaveLength(2);
  expect(isEmptyDocument(hints[1])).toBe(true);
  expect(document.activeElement).toBe(screen.getAllByRole("textbox")[1]);
  while (hints.length < HINTS_MAX) add();
  expect(screen.queryByRole("button", { name: "Добавить подсказку" })).toBeNull();
});

test("a removed hint returns to its place with what was written since", async () => {
  await renderInRouter(<Editing initial={[said("Первая"), said("Вторая"), said("Третья")]} />);
  fireEvent.click(button("Убрать подсказку 2"));
  expect(fields()).toEqual(["Первая", "Третья"]);
  expect(document.activeElement).toBe(button("Убрать подсказку 1"));
  act(() => addFirst(said("Нулевая")));
  await undo();
  expect(hints).toEqual([said("Нулевая"), said("Вторая"), said("Первая"), said("Третья")]);
  expect(fields()).toEqual(["Нулевая", "Вторая", "Первая", "Третья"]);
});

test("the last hint leaves the focus at the button that adds one", async () => {
  await renderInRouter(<Editing initial={[said("Первая")]} />);
  fireEvent.click(button("Убрать подсказку 1"));
  expect(hints).toEqual([]);
  expect(document.activeElement).toBe(button("Добавить подсказку"));
});

test("a removed hint also returns after its question was closed and opened again", async () => {
  await renderInRouter(<Editing initial={[said("Первая"), said("Вторая")]} />);
  fireEvent.click(button("Убрать подсказку 1"));
  reopen();
  await undo();
  expect(hints).toEqual([said("Первая"), said("Вторая")]);
  expect(fields()).toEqual(["Первая", "Вторая"]);
});

test("a removed hint takes the place of an empty one where there is no more room, or says that there is none", async () => {
  const written = Array.from({ length: HINTS_MAX }, (_, index) => said(`Подсказка ${index}`));
  await renderInRouter(<Editing initial={written} />);
  fireEvent.click(button("Убрать подсказку 2"));
  add();
  await undo();
  expect(hints).toEqual(written);
  fireEvent.click(button("Убрать подсказку 2"));
  const removal = Number(toastStore.get().at(-1)?.id);
  act(() => addFirst(said("Ещё одна")));
  await act(async () => void runToastAction(removal));
  expect(hints).toHaveLength(HINTS_MAX);
  expect(hints).not.toContainEqual(written[1]);
  expect(toastStore.get().at(-1)).toMatchObject({
    kind: "failure",
    text: "Подсказок может быть не больше 5.",
  });
});
