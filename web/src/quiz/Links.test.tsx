import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startI18n } from "../testing/startI18n";
import { AnswerLinks } from "./AnswerLinks";
import { LinksInput } from "./fields/LinksInput";

beforeAll(() => startI18n());
afterEach(cleanup);

function Field({ most }: { most: number }) {
  const [links, setLinks] = useState<string[]>([]);
  return <LinksInput links={links} most={most} onChange={setLinks} disabled={false} labelledBy="links" />;
}

const field = (number = 1) => screen.getByRole<HTMLInputElement>("textbox", { name: `Ссылка ${number}` });
const values = () => screen.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value);
const paste = (text: string) => fireEvent.paste(field(), { clipboardData: { getData: () => text } });

test("several pasted addresses fill several fields", () => {
  render(<Field most={3} />);
  paste("a.example\nhttps://b.example\nc.example");
  expect(values()).toEqual(["https://a.example", "https://b.example", "https://c.example"]);
  expect(screen.queryByRole("button", { name: "Добавить ссылку" })).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Убрать ссылку 2" }));
  expect(values()).toEqual(["https://a.example", "https://c.example"]);
  expect(document.activeElement).toBe(field(2));
});

test("pasted addresses for which there is no field are named until they are added or hidden", () => {
  render(<Field most={2} />);
  paste("a.example b.example c.example d.example");
  expect(values()).toEqual(["https://a.example", "https://b.example"]);
  const told = () => screen.queryByRole("alert")?.textContent;
  expect(told()).toContain("https://c.example");
  expect(told()).toContain("https://d.example");
  fireEvent.click(screen.getByRole("button", { name: "Убрать ссылку 1" }));
  expect(told()).toContain("https://c.example");
  fireEvent.click(screen.getByRole("button", { name: "Добавить ссылку" }));
  fireEvent.change(field(2), { target: { value: "https://c.example" } });
  expect(told()).not.toContain("https://c.example");
  expect(told()).toContain("https://d.example");
  fireEvent.click(screen.getByRole("button", { name: /^Скрыть/ }));
  expect(told()).toBeUndefined();
  expect(document.activeElement).toBe(field(2));
});

test("only an address of a page is a link", () => {
  render(<AnswerLinks links={["https://a.example", "не адрес", "javascript:alert(1)"]} />);
  expect(screen.getByText("https://a.example").closest("a")?.href).toBe("https://a.example/");
  expect(screen.getByText("не адрес").closest("a")).toBeNull();
  expect(screen.getByText("javascript:alert(1)").closest("a")).toBeNull();
});
