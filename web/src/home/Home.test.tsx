import { cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { storeToken } from "../api/session";
import { renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";

// The first test loads the screen, which takes longer than a second on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

beforeAll(startI18n);
beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const course = (id: string, title: string) => ({
  __typename: "Course",
  id,
  title,
  myRole: "OWNER",
  shareCode: null,
  modulesCount: 0,
  lessonsCount: 0,
  pagesCount: 0,
  studentsCount: 0,
  updatedAt: "2026-11-25T10:00:00Z",
  modules: [],
});

const list = (nodes: object[]) => ({
  __typename: "List",
  pageInfo: { __typename: "PageInfo", hasNextPage: false, endCursor: null },
  nodes,
});

const due = {
  __typename: "CalendarEvent",
  uid: "e1",
  at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  title: "Срезы",
  number: 1,
  pageId: "p1",
  courseId: "c1",
  courseTitle: "Rust",
  timeZone: "Pacific/Kiritimati",
  isOverdue: false,
};

const titles = ["Rust", "Go", "Zig", "Ада", "Си", "Лисп", "Пролог"];
const answers = {
  Me: () => ({
    me: { __typename: "User", id: "u1", email: "anna@example.com", fullName: null, isSuperuser: false },
  }),
  Home: () => ({
    myEnrollments: list([]),
    myCourses: list(titles.map((title, at) => course(`c${at}`, title))),
  }),
};
const upcoming = { upcoming: { __typename: "Upcoming", overdueCount: 0, overdue: [], next: [due] } };

const region = () => screen.queryByRole("region", { name: "Ближайшие сроки" });

test("the courses are shown after the due dates, which stand above them", async () => {
  let send: (data: object) => void = () => undefined;
  const answer = new Promise<object>((resolve) => {
    send = resolve;
  });
  const { asked } = await renderApp("/", { ...answers, Upcoming: () => answer });
  await waitFor(() => expect(asked.map(({ name }) => name)).toContain("Upcoming"));
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryByRole("heading", { name: "Rust" })).toBeNull();
  send(upcoming);
  await screen.findByRole("heading", { name: "Rust" });
  expect(region()).toBeTruthy();
  expect(await within(region() as HTMLElement).findByText(/ по времени курса, GMT\+14/)).toBeTruthy();
});

test("the courses are shown if what is due cannot be loaded", async () => {
  await renderApp("/", {
    ...answers,
    Upcoming: () => {
      throw new Error("broken");
    },
  });
  expect(await screen.findByRole("heading", { name: "Rust" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Календарь курсов" })).toBeTruthy();
});

test("the due dates stay while courses are searched, so that the search field does not move", async () => {
  const { router } = await renderApp("/", { ...answers, Upcoming: () => upcoming });
  const field = await screen.findByRole("searchbox");
  expect(within(region() as HTMLElement).getByRole("link", { name: "Срезы" })).toBeTruthy();
  fireEvent.change(field, { target: { value: "Лисп" } });
  await waitFor(() => expect(router.state.location.search).toMatchObject({ search: "Лисп" }));
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Rust" })).toBeNull());
  expect(region()).toBeTruthy();
});

test("what is due becomes overdue as soon as the server says so", async () => {
  const at = new Date(Date.now() + 600);
  const event = { ...due, at: at.toISOString() };
  await renderApp("/", {
    ...answers,
    Upcoming: () => {
      const isOverdue = Date.now() > at.getTime();
      return {
        upcoming: {
          __typename: "Upcoming",
          overdueCount: isOverdue ? 1 : 0,
          overdue: isOverdue ? [{ ...event, isOverdue }] : [],
          next: isOverdue ? [] : [event],
        },
      };
    },
  });
  await waitFor(() => expect(region()).toBeTruthy());
  expect(within(region() as HTMLElement).queryByText(/Просрочено/)).toBeNull();
  await within(region() as HTMLElement).findByText(/Просрочено/, undefined, { timeout: 5000 });
});
