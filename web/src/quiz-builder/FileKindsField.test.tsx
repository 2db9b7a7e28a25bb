import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { EXTENSIONS_MAX } from "../limits.generated";
import { renderInRouter } from "../testing/renderInRouter";
import { FileKindsField } from "./FileKindsField";

afterEach(cleanup);

function Field({ initial }: { initial: string[] }) {
  const [extensions, setExtensions] = useState(initial);
  return <FileKindsField extensions={extensions} onChange={setExtensions} problem={null} />;
}

const open = (...initial: string[]) => renderInRouter(<Field initial={initial} />);
const group = (name: string) => screen.getByRole("button", { name });
const own = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Другие расширения" });
const accepted = () => {
  const list = screen.queryByRole("list", { name: "Принимаемые расширения" });
  return list
    ? within(list)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent)
    : [];
};

test("a group of kinds is switched on and off", async () => {
  await open();
  expect(screen.getByText(/ученик может приложить любой файл/)).toBeTruthy();
  fireEvent.click(group("Таблицы"));
  expect(accepted()).toEqual([".xls", ".xlsx", ".ods", ".csv"]);
  expect(group("Таблицы").getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(group("Таблицы"));
  expect(accepted()).toEqual([]);
});

test("typed extensions are added with Enter and on blur; invalid ones stay in the field with a message", async () => {
  await open("pdf");
  fireEvent.change(own(), { target: { value: ".DWG, чертёж" } });
  fireEvent.keyDown(own(), { key: "Enter" });
  expect(accepted()).toEqual([".pdf", ".dwg"]);
  expect(own().value).toBe("чертёж");
  expect(screen.getByText(/Это не расширение: чертёж/)).toBeTruthy();
  fireEvent.change(own(), { target: { value: "psd" } });
  fireEvent.blur(own());
  expect(accepted()).toEqual([".pdf", ".dwg", ".psd"]);
  expect(own().value).toBe("");
});

test("a removed extension gives the focus to the next one, and the last one to the field", async () => {
  await open("pdf", "docx");
  fireEvent.click(screen.getByRole("button", { name: "Убрать: .pdf" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Убрать: .docx" }));
  fireEvent.click(screen.getByRole("button", { name: "Убрать: .docx" }));
  expect(document.activeElement).toBe(own());
});

test("an addition beyond the limit leaves the list unchanged", async () => {
  const full = Array.from({ length: EXTENSIONS_MAX }, (_, at) => `e${at}`);
  await open(...full);
  fireEvent.click(group("Аудио"));
  expect(accepted()).toHaveLength(EXTENSIONS_MAX);
  expect(screen.getByText(`Расширений может быть не больше ${EXTENSIONS_MAX}. Уберите лишние.`)).toBeTruthy();
});
