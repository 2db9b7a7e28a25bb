import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import { CourseAnnouncements } from "./CourseAnnouncements";
import { anAnnouncement, idOfNumber } from "./testing";

beforeAll(startI18n);
afterEach(cleanup);

type Item = Parameters<typeof anAnnouncement>[1];
const item = (number: number, more?: Item) => ({
  ...anAnnouncement(number, more),
  excerpt: `Первые слова ${number}`,
});

async function show(items: ReturnType<typeof item>[], canWrite = false, unread = 0) {
  const list = { __typename: "AnnouncementList" as const, items, unread, canWrite };
  await renderInRouter(<CourseAnnouncements courseId="c1" announcements={list} />);
}

test("pinned and unread announcements link to their place in the list", async () => {
  await show([item(3, { isRead: false }), item(2), item(1, { isPinned: true })], false, 1);
  const section = await screen.findByRole("region", { name: "Объявления" });
  const rows = within(section).getAllByRole("listitem");
  expect(rows.map((row) => row.querySelector("a")?.getAttribute("href"))).toEqual(
    [1, 3].map((number) => `/view-course/c1/announcements#a-${idOfNumber(number)}`),
  );
  expect(rows[0]?.textContent).toContain("Закреплено");
  expect(rows[1]?.textContent).toMatch(/^Не прочитано\. Объявление 3/);
  expect(rows[1]?.textContent).toContain("Вера Петрова");
  expect(rows[1]?.textContent).toContain("Первые слова 3");
  expect(within(section).getByRole("link", { name: /^Все объявления, 1\sнепрочитанное$/ })).toBeTruthy();
});

test("only the link to the list remains when everything is read", async () => {
  await show([item(1)]);
  expect(await screen.findByRole("link", { name: "Все объявления" })).toBeTruthy();
  expect(screen.queryByRole("listitem")).toBeNull();
});

test("without announcements, learners see nothing, and teachers see a link to write the first", async () => {
  await show([]);
  expect(screen.queryByRole("region")).toBeNull();
  cleanup();
  await show([], true);
  expect(await screen.findByRole("link", { name: "Объявления" })).toBeTruthy();
});
