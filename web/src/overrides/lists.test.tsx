import { useSelector } from "@tanstack/react-store";
import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hiddenItems } from "../ui/hiddenItems";
import { settleUndoable } from "../ui/undo";
import { OverrideRows } from "./OverrideRows";
import { none } from "./override.fixture";
import { resetServer, server, show } from "./server.fixture";
import { TargetPicker } from "./TargetPicker";

beforeEach(resetServer);
afterEach(async () => {
  cleanup();
  await settleUndoable();
});

test("Enter in the people search does not submit the surrounding form", async () => {
  const onSubmit = vi.fn((event: Event) => event.preventDefault());
  await show(
    <form onSubmit={(event) => onSubmit(event.nativeEvent)}>
      <TargetPicker courseId="c" target={null} onChoose={() => {}} />
      <button type="submit">Сохранить</button>
    </form>,
  );
  await screen.findByRole("radio", { name: "Анна · anna@example.com" });
  await userEvent.type(screen.getByRole("searchbox"), "анна{Enter}");
  expect(onSubmit).not.toHaveBeenCalled();
});

test("the list of people shows that the groups could not be loaded", async () => {
  server.failing.add("CourseGroups");
  await show(<TargetPicker courseId="c" target={null} onChoose={() => {}} />);
  await screen.findByRole("alert");
  await screen.findByRole("radio", { name: /Анна/ });
});

test("the focus moves to a neighbour of a deleted row, and out of the list after the last one", async () => {
  const onEmptied = vi.fn();
  const all = [
    { ...none, id: "of quiz", pageId: "q" },
    { ...none, id: "of lesson", lessonId: "l" },
  ];
  const titles = new Map([
    ["q", "Проверьте себя"],
    ["l", "Первые шаги"],
  ]);
  function List() {
    const hidden = useSelector(hiddenItems);
    const props = { courseId: "c", titles, labels: new Map([["s", "Анна"]]), zone: "UTC", onEmptied };
    return <OverrideRows {...props} overrides={all.filter(({ id }) => !hidden.has(id))} mayChange ofOne />;
  }
  await show(<List />);
  const remover = (part: string) => screen.findByRole("button", { name: `Удалить: Анна, ${part}` });
  await userEvent.click(await remover("Первые шаги"));
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
  expect(document.activeElement).toBe(await remover("Проверьте себя"));
  expect(onEmptied).not.toHaveBeenCalled();
  await userEvent.keyboard("{Enter}");
  expect(screen.queryAllByRole("listitem")).toHaveLength(0);
  expect(onEmptied).toHaveBeenCalledOnce();
});
