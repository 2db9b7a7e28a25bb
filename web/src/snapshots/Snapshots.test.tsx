import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { conflictError } from "../api/apiError";
import { storeToken } from "../api/session";
import { type Answers, renderApp } from "../testing/renderApp";
import { dismissToast, toastStore } from "../ui/toasts";
import type { SnapshotDifferencesFragment, SnapshotSummaryFragment } from "./Snapshots.generated";

beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
  for (const { id } of toastStore.get()) dismissToast(id);
});

/** Matches a text with any spaces between its words. */
const words = (text: string) => new RegExp(text.replace(/[.?+]/g, "\\$&").replaceAll(" ", "\\s"));
const plain = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ");

const aSnapshot = (more: Partial<SnapshotSummaryFragment> = {}) => ({
  __typename: "CourseSnapshot",
  id: "s1",
  courseId: "c1",
  name: null,
  reason: "BEFORE_IMPORT",
  takenAt: "2026-11-20T10:00:00Z",
  takenBy: { __typename: "PersonName", id: "u1", fullName: "Анна" },
  expiresAt: "2026-12-20T10:00:00Z",
  pageCount: 3,
  ...more,
});
const named = aSnapshot({ id: "s2", name: "До правок", reason: "NAMED", expiresAt: null, takenBy: null });
const part = (title: string, more: object = {}) => ({
  __typename: "SnapshotChange",
  part: "PAGE",
  id: title,
  title,
  path: ["Начало", "Шаги"],
  number: 1,
  fields: [],
  ...more,
});
const changes = (more: Partial<SnapshotDifferencesFragment> = {}) => ({
  __typename: "SnapshotChanges",
  course: [],
  added: [],
  removed: [],
  changed: [],
  moved: [],
  learnersAffected: 0,
  digest: "d1",
  ...more,
});
const paragraph = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});

const me = { __typename: "User", id: "u1", email: "anna@example.com", fullName: "Анна", isSuperuser: false };
const course = {
  __typename: "Course",
  id: "c1",
  title: "Основы Rust",
  description: null,
  myRole: "OWNER",
  shareCode: null,
  studentsCount: 2,
  owner: { __typename: "CourseOwner", id: "u1", fullName: "Анна", email: "anna@example.com" },
  modules: [],
};
const ofCourse = (fields: object) => ({ course: { __typename: "Course", id: "c1", ...fields } });
const listOf = (...snapshots: object[]) => ofCourse({ snapshots });
const ofSnapshot = (fields: object) => ({ courseSnapshot: { __typename: "SnapshotContent", ...fields } });

const open = (answers: Answers, search = "") =>
  renderApp(`/edit-course/c1?tab=snapshots${search}`, {
    Me: () => ({ me }),
    EditCourse: () => ({ course }),
    ...answers,
  });
const variablesOf = (app: Awaited<ReturnType<typeof open>>, name: string) =>
  app.asked.filter((one) => one.name === name).map(({ variables }) => variables);

test("the list tells when, by whom and why, and until when an automatic snapshot is kept", async () => {
  await open({ CourseSnapshots: () => listOf(named, aSnapshot()) });
  const rows = within(await screen.findByRole("list", { name: words("Снимки курса") })).getAllByRole(
    "listitem",
  );
  expect(rows).toHaveLength(2);
  expect(plain(rows[0] as HTMLElement)).toContain("До правок");
  expect(plain(rows[0] as HTMLElement)).toContain("удалённый аккаунт");
  expect(plain(rows[0] as HTMLElement)).not.toContain("Хранится");
  for (const fact of ["Перед импортом", "Анна", "3 страницы", "Хранится до 20 декабря"])
    expect(plain(rows[1] as HTMLElement)).toContain(fact);
});

test("Enter takes a snapshot with the typed name and adds it to the list", async () => {
  const user = userEvent.setup();
  let nodes: object[] = [];
  const app = await open({
    CourseSnapshots: () => listOf(...nodes),
    TakeSnapshot: () => {
      nodes = [named];
      return { takeSnapshot: { __typename: "SnapshotPayload", snapshot: named } };
    },
  });
  expect(await screen.findByRole("heading", { name: words("Снимков пока нет") })).toBeTruthy();
  const field = screen.getByRole("textbox", { name: words("Название снимка") });
  await user.type(field, "{Enter}");
  expect(await screen.findByText(words("Введите название"))).toBeTruthy();
  expect(variablesOf(app, "TakeSnapshot")).toEqual([]);
  await user.type(field, " До правок {Enter}");
  expect(await screen.findByRole("link", { name: words("До правок") })).toBeTruthy();
  expect(variablesOf(app, "TakeSnapshot")).toEqual([{ input: { courseId: "c1", name: "До правок" } }]);
  expect((field as HTMLInputElement).value).toBe("");
});

test("a snapshot is deleted after one question", async () => {
  const user = userEvent.setup();
  let nodes: object[] = [named];
  const app = await open({
    CourseSnapshots: () => listOf(...nodes),
    DeleteSnapshot: () => {
      nodes = [];
      return { deleteSnapshot: { __typename: "DeleteSnapshotPayload", snapshotId: "s2" } };
    },
  });
  await user.click(await screen.findByRole("button", { name: words("Действия со снимком «До правок»") }));
  await user.click(screen.getByRole("menuitem", { name: "Удалить…" }));
  const dialog = screen.getByRole("dialog", { name: words("Удалить снимок «До правок»?") });
  await user.click(within(dialog).getByRole("button", { name: words("Удалить снимок") }));
  expect(await screen.findByRole("heading", { name: words("Снимков пока нет") })).toBeTruthy();
  expect(variablesOf(app, "DeleteSnapshot")).toEqual([{ input: { snapshotId: "s2" } }]);
  expect(document.activeElement?.id).toBe("snapshots");
});

test("an automatic snapshot is kept with the name that it is given", async () => {
  const user = userEvent.setup();
  const app = await open({
    CourseSnapshots: () => listOf(aSnapshot()),
    RenameSnapshot: () => ({
      renameSnapshot: {
        __typename: "SnapshotPayload",
        snapshot: aSnapshot({ name: "Важный", expiresAt: null }),
      },
    }),
  });
  await user.click(
    await screen.findByRole("button", { name: words("Действия со снимком «Перед импортом»") }),
  );
  await user.click(screen.getByRole("menuitem", { name: "Переименовать…" }));
  const dialog = screen.getByRole("dialog");
  expect(plain(dialog)).toContain("Снимок с названием хранится, пока его не удалят.");
  await user.type(within(dialog).getByRole("textbox"), "Важный{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(variablesOf(app, "RenameSnapshot")).toEqual([{ input: { snapshotId: "s1", name: "Важный" } }]);
});

const before = aSnapshot({ id: "b1", reason: "BEFORE_RESTORE", takenAt: new Date().toISOString() });
const restored = (unpublishedPageIds: string[] = []) => ({
  restoreSnapshot: { __typename: "RestoreSnapshotPayload", before, unpublishedPageIds },
});
/** What identifies the undoing. */
const digestOf = (digest: string) => () => ofSnapshot({ changes: { __typename: "SnapshotChanges", digest } });

test("restoring shows its effects, asks once, and can be undone", async () => {
  const user = userEvent.setup();
  const app = await open({
    CourseSnapshots: () => listOf(named),
    SnapshotChanges: () =>
      ofSnapshot({
        changes: changes({
          course: ["TITLE"],
          removed: [part("Циклы"), part("Шаги", { part: "LESSON" })] as never,
          learnersAffected: 2,
        }),
      }),
    SnapshotDigest: digestOf("d2"),
    RestoreSnapshot: () => restored(),
  });
  await user.click(await screen.findByRole("button", { name: words("Восстановить: До правок") }));
  const dialog = screen.getByRole("dialog", { name: words("Восстановить курс из снимка «До правок»?") });
  expect(await within(dialog).findByText(words("уже занимались 2 ученика"))).toBeTruthy();
  expect(plain(dialog)).toContain("Уйдёт в корзину1 урок, 1 страница");
  expect(plain(dialog)).toContain("Изменятся настройки курсаназвание");
  await user.click(within(dialog).getByRole("button", { name: words("Восстановить курс") }));
  expect(await screen.findByText(words("Курс восстановлен из снимка «До правок»."))).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  const link = screen.getByRole("link", { name: words("Перед восстановлением, сегодня") });
  expect(link.getAttribute("href")).toBe("/edit-course/c1?tab=snapshots&snapshot=b1");
  await user.click(screen.getByRole("button", { name: "Отменить" }));
  expect(await screen.findByText(words("Восстановление отменено"))).toBeTruthy();
  expect(variablesOf(app, "RestoreSnapshot")).toEqual([
    { input: { snapshotId: "s2", digest: "d1" } },
    { input: { snapshotId: "b1", digest: "d2" } },
  ]);
  expect(screen.queryByRole("button", { name: "Отменить" })).toBeNull();
  expect(variablesOf(app, "EditCourse").length).toBeGreaterThanOrEqual(3);
});

test("a course that has changed meanwhile is not restored; the new effects are shown and confirmed", async () => {
  const user = userEvent.setup();
  let digest = "d1";
  const app = await open({
    CourseSnapshots: () => listOf(named),
    SnapshotChanges: () => ofSnapshot({ changes: changes({ digest, added: [part("Циклы")] as never }) }),
    SnapshotDigest: digestOf("d3"),
    RestoreSnapshot: ({ input }) => {
      if ((input as { digest: string }).digest === "d2") return restored();
      digest = "d2";
      return Promise.reject(conflictError("Курс изменился"));
    },
  });
  await user.click(await screen.findByRole("button", { name: words("Восстановить: До правок") }));
  const confirm = await screen.findByRole("button", { name: words("Восстановить курс") });
  await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(false));
  await user.click(confirm);
  expect(plain(await screen.findByRole("alert"))).toContain("ничего не восстановлено");
  await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(false));
  await user.click(confirm);
  expect(await screen.findByText(words("Курс восстановлен из снимка «До правок»."))).toBeTruthy();
  expect(
    variablesOf(app, "RestoreSnapshot").map(({ input }) => (input as { digest: string }).digest),
  ).toEqual(["d1", "d2"]);
});

test("undoing asks when the course has changed since it was restored", async () => {
  const user = userEvent.setup();
  await open({
    CourseSnapshots: () => listOf(named),
    SnapshotDigest: digestOf("d2"),
    SnapshotChanges: () => ofSnapshot({ changes: changes({ added: [part("Циклы")] as never }) }),
    RestoreSnapshot: ({ input }) =>
      (input as { snapshotId: string }).snapshotId === "s2"
        ? restored()
        : Promise.reject(conflictError("Курс изменился")),
  });
  await user.click(await screen.findByRole("button", { name: words("Восстановить: До правок") }));
  const confirm = await screen.findByRole("button", { name: words("Восстановить курс") });
  await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(false));
  await user.click(confirm);
  await user.click(await screen.findByRole("button", { name: "Отменить" }));
  expect(
    await screen.findByRole("dialog", {
      name: words("Восстановить курс из снимка «Перед восстановлением»?"),
    }),
  ).toBeTruthy();
});

test("there is nothing to restore when the course is as in the snapshot", async () => {
  const user = userEvent.setup();
  await open({
    CourseSnapshots: () => listOf(named),
    SnapshotChanges: () => ofSnapshot({ changes: changes() }),
  });
  await user.click(await screen.findByRole("button", { name: words("Восстановить: До правок") }));
  expect(await screen.findByText(words("восстанавливать нечего"))).toBeTruthy();
  const confirm = screen.getByRole("button", { name: words("Восстановить курс") });
  expect((confirm as HTMLButtonElement).disabled).toBe(true);
});

const outlined = {
  snapshot: named,
  outline: [
    {
      __typename: "SnapshotModule",
      id: "m1",
      title: "Начало",
      lessons: [
        {
          __typename: "SnapshotLesson",
          id: "l1",
          title: "Шаги",
          pages: [
            {
              __typename: "SnapshotPageLine",
              id: "p1",
              title: "Циклы",
              kind: "CONTENT",
              published: true,
              hasDraft: true,
            },
            {
              __typename: "SnapshotPageLine",
              id: "p2",
              title: null,
              kind: "CONTENT",
              published: false,
              hasDraft: false,
            },
          ],
        },
      ],
    },
  ],
};
const pages: Record<string, object> = {
  p1: {
    title: "Циклы",
    published: true,
    content: paragraph("Для учеников"),
    draft: {
      __typename: "SnapshotDraft",
      title: "Циклы и условия",
      content: paragraph("Ещё не опубликовано"),
      authorQuiz: null,
    },
  },
  p2: { title: null, published: false, content: paragraph("Вторая"), draft: null },
};
const aPage = ({ pageId }: Record<string, unknown>) =>
  ofSnapshot({
    page: {
      __typename: "SnapshotPage",
      id: pageId,
      kind: "CONTENT",
      authorQuiz: null,
      ...pages[pageId as string],
    },
  });

test("a snapshot shows its pages as learners saw them, and their unpublished changes on demand", async () => {
  const user = userEvent.setup();
  await open({ SnapshotOutline: () => ofSnapshot(outlined), SnapshotPage: aPage }, "&snapshot=s2");
  expect(await screen.findByText("Для учеников")).toBeTruthy();
  const contents = screen.getByRole("navigation", { name: words("Содержание снимка") });
  expect(
    within(contents)
      .getByRole("link", { name: words("^Циклы Есть изменения$") })
      .getAttribute("aria-current"),
  ).toBe("page");
  await user.click(screen.getByRole("checkbox", { name: words("С неопубликованными изменениями") }));
  expect(await screen.findByText("Ещё не опубликовано")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Циклы и условия" })).toBeTruthy();
  await user.click(within(contents).getByRole("link", { name: words("Страница 2") }));
  expect(await screen.findByText("Вторая")).toBeTruthy();
  expect(screen.getByText(words("Страница не была опубликована."))).toBeTruthy();
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("the focus goes to the title of a snapshot that is opened, and back to that of the list", async () => {
  const user = userEvent.setup();
  await open({
    CourseSnapshots: () => listOf(named),
    SnapshotOutline: () => ofSnapshot(outlined),
    SnapshotPage: aPage,
  });
  await user.click(await screen.findByRole("link", { name: words("До правок") }));
  expect(await screen.findByText("Для учеников")).toBeTruthy();
  expect(plain(document.activeElement as HTMLElement)).toContain("До правок");
  await user.click(screen.getByRole("link", { name: words("Все снимки") }));
  expect(await screen.findByRole("list", { name: words("Снимки курса") })).toBeTruthy();
  expect(plain(document.activeElement as HTMLElement)).toBe("Снимки курса");
});

test("a snapshot of another course is not shown, and the list is a link away", async () => {
  await open(
    { SnapshotOutline: () => ofSnapshot({ ...outlined, snapshot: { ...named, courseId: "c2" } }) },
    "&snapshot=s2",
  );
  expect(await screen.findByRole("heading", { name: words("Этого снимка больше нет") })).toBeTruthy();
  expect(screen.getByRole("link", { name: words("Все снимки") })).toBeTruthy();
});

test("quizzes that stay unpublished for want of questions are told after restoring", async () => {
  const user = userEvent.setup();
  const quiz = { __typename: "Page", id: "q1", title: "Итоговый тест", kind: "QUIZ", published: false };
  const lesson = { __typename: "Lesson", id: "l1", title: "Шаги", pages: [quiz] };
  const module = {
    __typename: "Module",
    id: "m1",
    title: "Начало",
    description: null,
    avatarUrl: null,
    lessons: [lesson],
  };
  await open({
    EditCourse: () => ({ course: { ...course, modules: [module] } }),
    CourseSnapshots: () => listOf(named),
    SnapshotChanges: () => ofSnapshot({ changes: changes({ added: [part("Циклы")] as never }) }),
    SnapshotDigest: digestOf("d2"),
    RestoreSnapshot: () => restored(["q1"]),
  });
  await user.click(await screen.findByRole("button", { name: words("Восстановить: До правок") }));
  const confirm = await screen.findByRole("button", { name: words("Восстановить курс") });
  await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(false));
  await user.click(confirm);
  expect(await screen.findByText(words("тест остался неопубликованным"))).toBeTruthy();
  expect(screen.getByRole("link", { name: words("Итоговый тест") }).getAttribute("href")).toBe(
    "/edit-page/q1",
  );
});

test("differences are those from the course, and from another snapshot in the order of time", async () => {
  const user = userEvent.setup();
  const later = aSnapshot({ id: "s9", takenAt: "2026-11-28T10:00:00Z" });
  const app = await open(
    {
      CourseSnapshots: () => listOf(later, named),
      SnapshotOutline: () => ofSnapshot(outlined),
      SnapshotChanges: () =>
        ofSnapshot({
          changes: changes({ changed: [part("Циклы", { fields: ["TITLE", "CONTENT"] })] as never }),
        }),
    },
    "&snapshot=s2&view=changes",
  );
  const group = await screen.findByRole("region", { name: /^Отличается/ });
  expect(plain(group)).toContain("Начало › Шаги");
  expect(plain(group)).toContain("название, текст");
  expect(within(group).getByRole("button", { name: words("Сравнить: Циклы") })).toBeTruthy();
  await user.selectOptions(screen.getByRole("combobox", { name: words("Сравнить с") }), "s9");
  expect(await screen.findByRole("region", { name: /^Изменено/ })).toBeTruthy();
  expect(variablesOf(app, "SnapshotChanges")).toEqual([
    { id: "s2", since: null },
    { id: "s9", since: "s2" },
  ]);
  expect(app.router.state.location.search).toMatchObject({ since: "s9" });
});

test("teachers have no snapshots", async () => {
  const app = await open({
    EditCourse: () => ({ course: { ...course, myRole: "TEACHER" } }),
    CourseSnapshots: () => listOf(named),
  });
  expect(await screen.findByRole("heading", { name: "Основы Rust", level: 1 })).toBeTruthy();
  expect(screen.queryByRole("link", { name: words("Снимки курса") })).toBeNull();
  expect(variablesOf(app, "CourseSnapshots")).toEqual([]);
});
