import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openCourse, question } from "./testing";

vi.mock("../discussions/DiscussionThread", () => ({
  DiscussionThread: ({ discussionId, onGone }: { discussionId: string; onGone: () => void }) => (
    <article>
      {`Обсуждение ${discussionId}`}
      <textarea aria-label="Ответ" />
      <button type="button" onClick={onGone}>
        Пропало
      </button>
    </article>
  ),
}));

beforeEach(() => {
  localStorage.setItem("access_token", "token");
  vi.stubGlobal("scrollTo", () => {});
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-30T12:00:00Z") });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const list = () => screen.findByRole("navigation", { name: "Список вопросов" });
const rows = async () => within(await list()).getAllByRole("link");
const filters = () => screen.findByRole("navigation", { name: "Какие вопросы показать" });

test("the tab says how many learners wait, and lists them by default", async () => {
  const app = await openCourse("?tab=questions", () => [
    question("1"),
    question("2", { waitingSince: "2026-11-30T11:58:00Z", audience: "TEACHERS" }),
  ]);
  const [first, second] = await rows();
  expect(first?.textContent).toMatch(/Вопрос 1.*Иванова Анна · Переменные.*Ждёт 4\sдня/);
  expect(second?.textContent).toMatch(/Ждёт 2\sминуты.*Только преподавателям/);
  expect(app.asked.find(({ name }) => name === "CourseQuestions")?.variables.filter).toBe("UNANSWERED");
  expect(screen.getByRole("link", { name: /^Вопросы.*без ответа: 2$/ })).toBeTruthy();
  expect(within(await filters()).getByRole("link", { name: "Жалобы 1" })).toBeTruthy();
});

test("a filter of the address is asked of the server, and an editor has no reports", async () => {
  const app = await openCourse("?tab=questions&view=reported", () => [question("1")], { myRole: "EDITOR" });
  await list();
  expect(app.asked.find(({ name }) => name === "CourseQuestions")?.variables.filter).toBe("UNANSWERED");
  const names = within(await filters())
    .getAllByRole("link")
    .map(({ textContent }) => textContent);
  expect(names).toEqual(["Без ответа", "Открытые", "Решённые", "Все"]);
  fireEvent.click(screen.getByRole("link", { name: "Решённые" }));
  await waitFor(() =>
    expect(app.asked.filter(({ name }) => name === "CourseQuestions").at(-1)?.variables.filter).toBe(
      "RESOLVED",
    ),
  );
});

test("J and K open questions, Escape closes, and keys typed into an answer do neither", async () => {
  const app = await openCourse("?tab=questions", () => ["1", "2", "3"].map((id) => question(id)));
  fireEvent.keyDown((await rows())[0] as HTMLElement, { key: "о", code: "KeyJ" });
  await screen.findByText("Обсуждение 1");
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Вопрос: Вопрос 1"));
  fireEvent.keyDown(document.activeElement as HTMLElement, { key: "j", code: "KeyJ" });
  await screen.findByText("Обсуждение 2");
  fireEvent.keyDown(screen.getByRole("textbox", { name: "Ответ" }), { key: "j", code: "KeyJ" });
  fireEvent.keyDown(screen.getByRole("textbox", { name: "Ответ" }), { key: "Escape" });
  expect(app.router.state.location.search).toMatchObject({ question: "2" });
  fireEvent.keyDown(document.activeElement as HTMLElement, { key: "k", code: "KeyK" });
  await screen.findByText("Обсуждение 1");
  fireEvent.keyDown(document.activeElement as HTMLElement, { key: "Escape" });
  await waitFor(() => expect(app.router.state.location.search).toEqual({ tab: "questions" }));
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Вопрос 1/));
});

test("an answered question leaves the list but stays open, and J goes on with the next one", async () => {
  let left = ["1", "2", "3"];
  await openCourse("?tab=questions&question=2", () => left.map((id) => question(id)));
  await screen.findByText("Обсуждение 2");
  await list();
  left = ["1", "3"];
  window.dispatchEvent(new Event("focus"));
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  const article = screen.getByText("Обсуждение 2");
  fireEvent.keyDown(article, { key: "j", code: "KeyJ" });
  await screen.findByText("Обсуждение 3");
});

test("a question that is gone is closed", async () => {
  const app = await openCourse("?tab=questions&view=all&question=1", () => [question("1")]);
  fireEvent.click(await screen.findByRole("button", { name: "Пропало" }));
  await waitFor(() => expect(app.router.state.location.search).toEqual({ tab: "questions", view: "all" }));
});

test("another filter closes the question and keeps the focus", async () => {
  const app = await openCourse("?tab=questions&question=1", () => ["1", "2"].map((id) => question(id)));
  await screen.findByText("Обсуждение 1");
  const link = within(await filters()).getByRole("link", { name: "Открытые" });
  link.focus();
  fireEvent.click(link);
  await waitFor(() => expect(app.router.state.location.search).toEqual({ tab: "questions", view: "open" }));
  await waitFor(() => expect(screen.queryByText("Обсуждение 1")).toBeNull());
  expect(document.activeElement?.textContent).toBe("Открытые");
});

test("an empty list says whether nobody asks or nobody waits", async () => {
  await openCourse("?tab=questions", () => []);
  await screen.findByRole("heading", { name: "На все вопросы есть ответ" });
  cleanup();
  await openCourse("?tab=questions", () => [], { all: 0 });
  await screen.findByRole("heading", { name: "Вопросов пока нет" });
  expect(screen.getByRole("link", { name: "Посмотреть курс как ученик" })).toBeTruthy();
});

test("a course without questions says so and leads to the settings, but not an editor", async () => {
  await openCourse("?tab=questions", () => [question("1")], { isOn: false });
  const link = await screen.findByRole("link", { name: "Открыть настройки" });
  expect(link.getAttribute("href")).toBe("/edit-course/c?tab=settings");
  cleanup();
  await openCourse("?tab=questions", () => [question("1")], { isOn: false, myRole: "EDITOR" });
  await screen.findByText(/Вопросы выключены/);
  expect(screen.queryByRole("link", { name: "Открыть настройки" })).toBeNull();
});

test("reviewers have no questions", async () => {
  const app = await openCourse("", () => [], { myRole: "REVIEWER" });
  await screen.findByRole("link", { name: "Комментарии" });
  expect(screen.queryByRole("link", { name: /^Вопросы/ })).toBeNull();
  expect(app.asked.some(({ name }) => name === "QuestionCounts")).toBe(false);
});

test("a failure is shown with a button that reads again", async () => {
  let fails = true;
  await openCourse(
    "?tab=questions",
    () => [],
    {},
    {
      CourseQuestions: () =>
        fails ? Promise.reject(new Error("down")) : Promise.resolve({ course: emptyCourse }),
    },
  );
  const button = await screen.findByRole("button", { name: "Повторить" });
  fails = false;
  fireEvent.click(button);
  await screen.findByRole("heading", { name: "На все вопросы есть ответ" });
});

const emptyCourse = {
  __typename: "Course",
  id: "c",
  discussions: {
    __typename: "DiscussionConnection",
    totalCount: 0,
    nodes: [],
    pageInfo: { __typename: "PageInfo", hasNextPage: false, endCursor: null },
  },
};
