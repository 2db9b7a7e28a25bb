import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startI18n } from "../../testing/startI18n";
import { said } from "../testing";
import { PinnedAnswer } from "./PinnedAnswer";

beforeAll(startI18n);
afterEach(cleanup);

const none = { start: null, end: null, fileId: null, x: null, y: null };
const files = [
  { id: "f1", filename: "Схема.png", contentType: "image/png", size: 9, url: "/files/f1" },
  { id: "f2", filename: "Отчёт.pdf", contentType: "application/pdf", size: 9, url: "/files/f2" },
];

test("comments are numbered in the order of their places, and each leads to its place and back", () => {
  render(
    <PinnedAnswer
      content={said("Небо синее. Почему?")}
      files={files}
      label="Ваш ответ"
      pins={[
        { ...none, fileId: "f1", x: 10, y: 20.4, comment: "Стрелка не туда" },
        { ...none, start: 12, end: 19, comment: "Хороший вопрос" },
        { ...none, start: 0, end: 10, comment: "Какое?" },
      ]}
    />,
  );
  const list = screen.getByRole("list", { name: /^Комментарии/ });
  const items = within(list).getAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    "1«Небо синее»Какое?",
    "2«Почему?»Хороший вопрос",
    expect.stringMatching(/^3На.изображении «Схема.png»Стрелка не.туда$/),
  ]);
  expect([...document.querySelectorAll("mark")].map(({ textContent }) => textContent)).toEqual([
    "Небо синее",
    "Почему?",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Комментарий 2" }));
  expect(document.activeElement).toBe(items[1]);
  fireEvent.click(within(list).getByRole("button", { name: /К.месту комментария 3/ }));
  expect(document.activeElement).toBe(
    screen.getByRole("button", { name: /^Комментарий 3: 10.% слева, 20.% сверху/ }),
  );
  expect(screen.getAllByRole("link").map(({ textContent }) => textContent?.includes("Отчёт.pdf"))).toEqual([
    false,
    true,
  ]);
});

test("a picture that cannot be shown leaves its comments", () => {
  render(
    <PinnedAnswer
      content={null}
      files={files}
      label="Ваш ответ"
      pins={[{ ...none, fileId: "f1", x: 10, y: 20, comment: "Стрелка" }]}
    />,
  );
  fireEvent.error(screen.getByRole("presentation"));
  expect(screen.queryByRole("presentation")).toBeNull();
  expect(screen.getByText("Стрелка")).toBeTruthy();
});
