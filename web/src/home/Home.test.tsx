import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { storeToken } from "../api/session";
import { notVisited } from "../testing/notVisited";
import { openTimes } from "../testing/openTimes";
import { renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";

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
const upcoming = {
  importantChanges: [],
  upcoming: { __typename: "Upcoming", overdueCount: 0, overdue: [], next: [due] },
};

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

test("the catalogue of open courses is one click away", async () => {
  await renderApp("/", { ...answers, Upcoming: () => upcoming });
  const link = await screen.findByRole("link", { name: "Каталог курсов" });
  expect(link.getAttribute("href")).toBe("/courses");
});

test("a code typed before the courses are loaded stays in its field", async () => {
  let send: (data: object) => void = () => undefined;
  const answer = new Promise<object>((resolve) => {
    send = resolve;
  });
  await renderApp("/", { ...answers, Home: () => answer });
  const field = await screen.findByLabelText("Код курса");
  field.focus();
  fireEvent.change(field, { target: { value: "ABCD-EFGH" } });
  send({ myEnrollments: list([]), myCourses: list([]) });
  await screen.findByText("Вы пока не ведёте курсы");
  expect(screen.getByLabelText("Код курса")).toBe(field);
  expect((field as HTMLInputElement).value).toBe("ABCD-EFGH");
  expect(document.activeElement).toBe(field);
});

test("the courses are shown if what is due cannot be loaded", async () => {
  await renderApp("/", {
    ...answers,
    Upcoming: () => {
      throw new Error("broken");
    },
  });
  expect(await screen.findByRole("heading", { name: "Rust" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Календарь" })).toBeTruthy();
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

test("a due date becomes overdue as soon as the server reports it", async () => {
  const at = new Date(Date.now() + 600);
  const event = { ...due, at: at.toISOString() };
  await renderApp("/", {
    ...answers,
    Upcoming: () => {
      const isOverdue = Date.now() > at.getTime();
      return {
        importantChanges: [],
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

test.each([
  [
    "was returned for revision",
    { isReturned: true },
    "Возвращено на доработку: Эссе",
    "Продолжить",
    "/view-page/p1",
  ],
  [
    "waits for a grade",
    { isWaiting: true, attemptsLeft: 0 },
    "Ждёт проверки: Эссе",
    "Открыть курс",
    "/view-course/c9",
  ],
])("the card of a course tells that the next page is work that %s", async (_, state, text, link, path) => {
  const reason = { ...notVisited, kind: "QUIZ_NOT_PASSED", ...state };
  const page = { __typename: "Page", id: "p1", title: "Эссе", number: 1, reason, timeline: openTimes };
  const progress = { __typename: "Progress", percent: 50, pagesDone: 1, pagesTotal: 2 };
  const enrollment = {
    __typename: "Enrollment",
    id: "e1",
    lastActivityAt: "2026-11-25T10:00:00Z",
    nextPage: page,
    course: { ...course("c9", "Логика"), owner: null, progress },
  };
  await renderApp("/", {
    ...answers,
    Home: () => ({ ...answers.Home(), myEnrollments: list([enrollment]) }),
    Upcoming: () => upcoming,
  });
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.getByRole("link", { name: link }).getAttribute("href")).toBe(path);
});
