import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Answers, renderApp } from "../testing/renderApp";
import { toastStore } from "../ui/toasts";

beforeEach(() => {
  localStorage.setItem("access_token", "token");
  vi.stubGlobal("scrollTo", () => {});
});
afterEach(() => {
  cleanup();
  toastStore.setState(() => []);
  vi.unstubAllGlobals();
  localStorage.clear();
});

const me = { __typename: "User", id: "u1", email: "vera@example.com", fullName: "Вера", isSuperuser: false };
const plain = (text: string | null | undefined) => (text ?? "").replaceAll("\u00a0", " ");

const student = (id: string, fullName: string, lastNudgedAt: string | null = null) => ({
  __typename: "Student",
  id,
  user: { __typename: "Person", id: `u-${id}`, fullName, email: `${id}@example.com` },
  group: null,
  enrolledAt: "2026-11-01T10:00:00Z",
  lastActivityAt: "2026-11-01T10:00:00Z",
  percent: 0,
  pagesDone: 0,
  pagesTotal: 4,
  lessonsDone: 0,
  lessonsTotal: 2,
  completedAt: null,
  lastNudgedAt,
});

const STUDENTS = [
  student("anna", "Анна"),
  student("boris", "Борис"),
  student("vera", "Вера Ким", new Date(Date.now() - 3_600_000).toISOString()),
];

const studentsOf = (nodes: object[]) => ({
  course: {
    __typename: "Course",
    id: "c1",
    students: {
      __typename: "StudentConnection",
      totalCount: nodes.length,
      pageInfo: { __typename: "PageInfo", endCursor: null, hasNextPage: false },
      nodes,
    },
  },
});

/** Opens the class list of a course with three students, of whom one was nudged an hour ago. */
async function open(address = "", myRole = "TEACHER", more: Answers = {}) {
  const course = {
    __typename: "Course",
    id: "c1",
    title: "Основы Rust",
    description: null,
    shareCode: null,
    timeZone: null,
    startsAt: null,
    endsAt: null,
    myRole,
    studentsCount: 3,
    owner: { __typename: "CourseOwner", id: "u1", fullName: "Вера", email: "vera@example.com" },
    modules: [],
  };
  return renderApp(`/edit-course/c1?tab=students${address}`, {
    Me: () => ({ me }),
    EditCourse: () => ({ course }),
    CourseGroups: () => ({ course: { __typename: "Course", id: "c1", groups: [] } }),
    CourseStudents: ({ state }) => studentsOf(state === "LATE" ? [] : STUDENTS),
    RecentStudents: () => studentsOf([]),
    NudgeCandidates: () => studentsOf(STUDENTS),
    NudgeStudents: ({ input }) => ({
      nudgeStudents: {
        __typename: "NudgeStudentsPayload",
        nudged: (input as { enrollmentIds: string[] }).enrollmentIds.slice(0, 1),
        skipped: (input as { enrollmentIds: string[] }).enrollmentIds.slice(1),
      },
    }),
    ...more,
  });
}

const text = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Текст напоминания" });
const sent = (asked: { name: string | undefined; variables: Record<string, unknown> }[]) =>
  asked.filter(({ name }) => name === "NudgeStudents").map(({ variables }) => variables.input);

test("selected students are reminded with a changed text; recently reminded ones are skipped", async () => {
  const { asked } = await open();
  fireEvent.click(await screen.findByRole("checkbox", { name: "Выбрать всех на странице" }));
  fireEvent.click(screen.getByRole("button", { name: "Напомнить…" }));
  const dialog = await screen.findByRole("dialog", { name: /Напомнить/ });
  expect(plain(dialog.textContent)).toContain("Напоминание получат 2 ученика: Анна и Борис.");
  expect(plain(dialog.textContent)).toContain("Пропустим тех, кому напоминали меньше суток назад: Вера Ким.");
  expect(plain(text().value)).toMatch(/^Напоминаем о курсе «Основы Rust»\./);
  fireEvent.change(text(), { target: { value: "Продолжим в понедельник?" } });
  fireEvent.click(within(dialog).getByRole("button", { name: /^Отправить/ }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent(asked)).toEqual([
    { courseId: "c1", enrollmentIds: ["anna", "boris"], text: "Продолжим в понедельник?" },
  ]);
  const said = plain(toastStore.get().at(-1)?.text);
  expect(said).toContain("Напоминание отправлено 1 ученику.");
  expect(said).toContain("Не получили, потому что им уже напомнили или они покинули курс: Борис.");
});

test("all students who match a filter are reminded with its suggested text", async () => {
  const { asked } = await open("&state=not-started");
  fireEvent.click(await screen.findByRole("button", { name: /^Напомнить\s3\sученикам…$/ }));
  await waitFor(() => expect(plain(text().value)).toContain("но ещё не начали"));
  expect(asked.find(({ name }) => name === "NudgeCandidates")?.variables).toMatchObject({
    id: "c1",
    state: "NOT_STARTED",
  });
  fireEvent.click(screen.getByRole("button", { name: /^Отправить/ }));
  await waitFor(() => expect(sent(asked)).toMatchObject([{ enrollmentIds: ["anna", "boris"] }]));
});

test("nobody is reminded twice a day, and an empty text is refused", async () => {
  await open();
  fireEvent.click(await screen.findByRole("checkbox", { name: "Выбрать: Вера Ким" }));
  fireEvent.click(screen.getByRole("button", { name: "Напомнить…" }));
  const dialog = await screen.findByRole("dialog", { name: /Напомнить/ });
  expect(plain(dialog.textContent)).toContain("не чаще раза в сутки");
  expect(within(dialog).getByRole("button", { name: "Отправить" })).toHaveProperty("disabled", true);
  cleanup();

  const { asked } = await open();
  fireEvent.click(await screen.findByRole("checkbox", { name: "Выбрать: Анна" }));
  fireEvent.click(screen.getByRole("button", { name: "Напомнить…" }));
  await screen.findByRole("dialog", { name: /Напомнить/ });
  fireEvent.change(text(), { target: { value: "  " } });
  fireEvent.click(screen.getByRole("button", { name: /^Отправить/ }));
  expect(await screen.findByText(/Напишите, о\sчём напомнить/)).toBeTruthy();
  expect(sent(asked)).toEqual([]);
});

test("a filter without students says so", async () => {
  await open("&state=late");
  expect(await screen.findByText(/Пропущенных сроков/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Напомнить/ })).toBeNull();
});

test("editors see the list without filters and selection", async () => {
  await open("", "EDITOR");
  expect(await screen.findByRole("link", { name: "Анна" })).toBeTruthy();
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.queryByRole("combobox", { name: /Каких/ })).toBeNull();
});
