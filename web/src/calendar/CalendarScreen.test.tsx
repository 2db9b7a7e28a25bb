import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { storeToken } from "../api/session";
import { type Answers, renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";

beforeAll(startI18n);
beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const DAY = 86_400_000;

const event = (title: string, at: Date, isOverdue = false) => ({
  __typename: "CalendarEvent",
  uid: title,
  kind: "DUE",
  at: at.toISOString(),
  part: "PAGE",
  title,
  courseId: "c1",
  courseTitle: "Rust",
  timeZone: null as string | null,
  pageId: title,
  number: 1,
  myRole: "LEARNER",
  isDone: false,
  isOverdue,
});

const list = (events: object[], totalCount = events.length) => ({
  calendar: { __typename: "CalendarEventList", totalCount, nodes: events },
});

const feed = (isActive: boolean) => ({
  __typename: "CalendarFeed",
  isActive,
  createdAt: isActive ? "2026-11-01T10:00:00Z" : null,
  lastReadAt: null,
});

const overdue = (events: object[], overdueCount = events.length) => ({
  upcoming: { __typename: "Upcoming", overdueCount, overdue: events },
});

async function open(address: string, answers: Answers = {}) {
  const app = await renderApp(address, {
    Me: () => ({
      me: { __typename: "User", id: "u1", email: "anna@example.com", fullName: null, isSuperuser: false },
    }),
    Calendar: () => list([]),
    Overdue: () => overdue([]),
    CalendarFeed: () => ({ calendarFeed: feed(false) }),
    ...answers,
  });
  await screen.findByRole("heading", { level: 1, name: "Календарь" });
  return app;
}

test("the month shows the events of the neighbouring days that it draws", async () => {
  const { asked } = await open("/calendar?month=2026-12", {
    Calendar: () =>
      list([event("До месяца", new Date(2026, 10, 30, 12)), event("После", new Date(2027, 0, 3, 12))]),
  });
  const table = await screen.findByRole("table");
  const cell = (title: string) => within(table).getByRole("link", { name: title }).closest("td");
  expect(cell("До месяца")?.querySelector("time")?.dateTime).toBe("2026-11-30");
  expect(cell("После")?.querySelector("time")?.dateTime).toBe("2027-01-03");
  expect(asked.find(({ name }) => name === "Calendar")?.variables).toMatchObject({
    from: new Date(2026, 10, 30).toISOString(),
    until: new Date(2027, 0, 4).toISOString(),
  });
  expect(screen.getByText("В этом месяце ничего нет.")).toBeTruthy();
});

test("the month says that it shows only the first of too many dates", async () => {
  await open("/calendar?month=2026-12", {
    Calendar: () => list([event("Одна", new Date(2026, 11, 5))], 1200),
  });
  expect((await screen.findByText(/показаны первые/)).textContent).toMatch(/1.000/);
});

test.each([
  ["2000-01", "Предыдущий месяц", "Следующий месяц", "2000-02"],
  ["2099-12", "Следующий месяц", "Предыдущий месяц", "2099-11"],
])("the month %s has no other one behind «%s»", async (month, over, other, next) => {
  await open(`/calendar?month=${month}`);
  const step = (name: string) => screen.getByRole("link", { name });
  await screen.findByRole("table");
  expect(step(over).getAttribute("aria-disabled")).toBe("true");
  expect(step(over).getAttribute("href")).toContain(month);
  expect(step(other).getAttribute("aria-disabled")).toBeNull();
  expect(step(other).getAttribute("href")).toContain(next);
});

test("an address with a month that the calendar does not have says so above the agenda", async () => {
  await open("/calendar?month=1999-12");
  expect(await screen.findByText(/Такого месяца в календаре нет/)).toBeTruthy();
  expect(await screen.findByText("Впереди ничего нет")).toBeTruthy();
  cleanup();
  await open("/calendar");
  expect(await screen.findByText("Впереди ничего нет")).toBeTruthy();
  expect(screen.queryByText(/Такого месяца/)).toBeNull();
});

test("the agenda says that overdue work could not be loaded, and loads it again", async () => {
  let fails = true;
  await open("/calendar", {
    Overdue: () => {
      if (fails) throw new Error("broken");
      return overdue([event("Срезы", new Date(Date.now() - 3 * DAY), true)]);
    },
  });
  const region = await screen.findByRole("region", { name: "Просрочено" });
  fails = false;
  fireEvent.click(within(region).getByRole("button", { name: "Повторить" }));
  expect(await screen.findByRole("link", { name: "Срезы" })).toBeTruthy();
  expect(screen.getAllByRole("region", { name: "Просрочено" })).toHaveLength(1);
});

test("the agenda counts the overdue work beyond its list", async () => {
  await open("/calendar", {
    Overdue: () => overdue([event("Срезы", new Date(Date.now() - 3 * DAY), true)], 22),
  });
  const region = await screen.findByRole("region", { name: "Просрочено" });
  expect(region.textContent).toMatch(/ещё.21.просроченная/);
});

test.each(["/calendar", `/calendar?month=${new Date().toISOString().slice(0, 7)}`])(
  "%s says that work is overdue as soon as the server does",
  async (address) => {
    const at = new Date(Date.now() + 600);
    await open(address, { Calendar: () => list([event("Срезы", at, Date.now() > at.getTime())]) });
    const row = (await screen.findByRole("link", { name: "Срезы" })).closest("li");
    expect(row?.dataset.overdue).toBeUndefined();
    await waitFor(
      () =>
        expect(
          screen.getByRole("link", { name: "Срезы" }).closest<HTMLElement>("[data-overdue]"),
        ).toBeTruthy(),
      { timeout: 5000 },
    );
  },
);

test("after the address is made the focus is on copying it, after it is revoked on making one", async () => {
  await open("/calendar", {
    CreateCalendarFeed: () => ({
      createCalendarFeed: {
        __typename: "CreateCalendarFeedPayload",
        url: "https://kurso.example/calendar/x.ics",
        calendarFeed: feed(true),
      },
    }),
    RevokeCalendarFeed: () => ({
      revokeCalendarFeed: { __typename: "RevokeCalendarFeedPayload", calendarFeed: feed(false) },
    }),
  });
  const press = (button: HTMLElement) => {
    button.focus();
    fireEvent.click(button);
  };
  press(await screen.findByRole("button", { name: "Создать адрес" }));
  const copy = await screen.findByRole("button", { name: "Скопировать адрес" });
  await waitFor(() => expect(document.activeElement).toBe(copy));

  press(screen.getByRole("button", { name: "Отозвать адрес" }));
  press(within(await screen.findByRole("dialog")).getByRole("button", { name: "Отозвать адрес" }));
  const create = await screen.findByRole("button", { name: "Создать адрес" });
  await waitFor(() => expect(document.activeElement).toBe(create));
});

test("the agenda and the month show the time of the course where it differs from that of the reader", async () => {
  const there = { ...event("Там", new Date(2090, 11, 5, 12)), timeZone: "Pacific/Kiritimati" };
  const here = {
    ...event("Здесь", new Date(2090, 11, 5, 13)),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  for (const address of ["/calendar", "/calendar?month=2090-12"]) {
    await open(address, {
      Calendar: () => list([there, here, event("Без пояса", new Date(2090, 11, 5, 14))]),
    });
    const row = async (title: string) =>
      (await screen.findByRole("link", { name: title })).closest("li")?.textContent;
    expect(await row("Там")).toMatch(/ по времени курса, GMT\+14/);
    expect(await row("Здесь")).not.toContain("по времени курса");
    expect(await row("Без пояса")).not.toContain("по времени курса");
    cleanup();
  }
});
