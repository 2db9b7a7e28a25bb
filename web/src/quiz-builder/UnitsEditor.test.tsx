import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { renderInRouter } from "../testing/renderInRouter";
import type { Unit } from "./model";
import { UnitsEditor } from "./UnitsEditor";

afterEach(cleanup);

let units: Unit[];

function Editing({ initial }: { initial: Unit[] }) {
  const [now, setNow] = useState(initial);
  units = now;
  return <UnitsEditor units={now} onChange={setNow} problemAt={() => null} />;
}

const meters = { name: "м", factor: 1 };
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const button = (name: string) => screen.getByRole("button", { name });
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });

test("the first unit is a name, and the others are multiples of it", async () => {
  await renderInRouter(<Editing initial={[]} />);
  expect(screen.queryByRole("textbox")).toBeNull();
  fireEvent.click(button("Добавить единицу измерения"));
  expect(document.activeElement).toBe(field("Единица значения"));
  type("Единица значения", "м");
  fireEvent.click(button("Добавить единицу измерения"));
  expect(document.activeElement).toBe(field("Единица 2"));
  type("Единица 2", "км");
  // A kilometer without a factor must not become a meter.
  expect(field("Множитель единицы 2").value).toBe("");
  expect(units).toEqual([meters]);
  type("Множитель единицы 2", "1 000,5");
  expect(units).toEqual([meters, { name: "км", factor: 1000.5 }]);
  // The others would be multiples of nothing.
  expect(screen.queryByRole("button", { name: "Убрать: м" })).toBeNull();
});

test("a removed unit leaves the others with their own numbers", async () => {
  const [kilometers, miles] = [
    { name: "км", factor: 1000 },
    { name: "миля", factor: 1609 },
  ];
  await renderInRouter(<Editing initial={[meters, kilometers, miles]} />);
  type("Множитель единицы 3", "16о9");
  fireEvent.click(button("Убрать: км"));
  await waitFor(() => expect(units).toEqual([meters, miles]));
  expect(field("Множитель единицы 2").value).toBe("16о9");
  type("Множитель единицы 2", "1609");
  expect(document.activeElement).toBe(field("Единица значения"));
  fireEvent.click(button("Убрать: миля"));
  await waitFor(() => expect(units).toEqual([meters]));
  fireEvent.click(button("Убрать: м"));
  await waitFor(() => expect(units).toEqual([]));
  expect(document.activeElement).toBe(button("Добавить единицу измерения"));
});

test("units that cannot be stored stay in their fields, and the stored units do not change", async () => {
  await renderInRouter(<Editing initial={[meters, { name: "км", factor: 1000 }]} />);
  const message = (name: string) =>
    document.getElementById(field(name).getAttribute("aria-describedby") ?? "")?.textContent;
  type("Единица 2", "м");
  expect(message("Единица 2")).toContain("Такая единица уже есть");
  type("Единица 2", "");
  expect(message("Единица 2")).toContain("Назовите единицу");
  type("Множитель единицы 2", "0");
  type("Единица 2", "см");
  expect(message("Множитель единицы 2")).toContain("больше нуля");
  expect(units).toEqual([meters, { name: "км", factor: 1000 }]);
  type("Множитель единицы 2", "0,01");
  expect(units).toEqual([meters, { name: "см", factor: 0.01 }]);
  type("Единица значения", "");
  expect(message("Единица значения")).toContain("Назовите единицу");
  expect(units[0]).toEqual(meters);
});

test("an empty unit is not stored, and the other units are stored without it", async () => {
  await renderInRouter(<Editing initial={[meters]} />);
  fireEvent.click(button("Добавить единицу измерения"));
  type("Единица значения", "метр");
  expect(units).toEqual([{ name: "метр", factor: 1 }]);
  expect(field("Единица 2").getAttribute("aria-invalid")).toBeNull();
});
