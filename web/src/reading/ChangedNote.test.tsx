import { act, cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storeToken } from "../api/session";
import { openTimes } from "../testing/openTimes";
import { renderApp } from "../testing/renderApp";
import { dismissToast, toastStore } from "../ui/toasts";

beforeEach(() => {
  storeToken("a.b.c");
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  for (const { id } of toastStore.get()) dismissToast(id);
});

const paragraph = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});
const change = (over: object = {}) => ({
  __typename: "ChangeSinceRead",
  importance: "CORRECTION",
  before: { __typename: "TextRead", version: 3 },
  ...over,
});
const page = (changeSinceRead: object | null) => ({
  __typename: "Page",
  id: "p1",
  title: "Владение",
  number: 1,
  kind: "CONTENT",
  published: true,
  isVisited: true,
  version: 5,
  changeSinceRead,
  timeline: openTimes,
  content: paragraph("Новый текст."),
  lesson: {
    __typename: "Lesson",
    id: "l1",
    title: "Урок",
    isCompleted: true,
    module: { __typename: "Module", id: "m1", title: "Модуль" },
  },
  course: {
    __typename: "Course",
    id: "c1",
    title: "Rust",
    timeZone: null,
    myRole: "LEARNER",
    progress: { __typename: "Progress", pagesDone: 1, pagesTotal: 2 },
    enrollment: { __typename: "Enrollment", id: "e1", nextPage: null, readingPlace: null },
  },
  previousPage: null,
  nextPage: null,
});
const answers = (changed: object | null) => ({
  Me: () => ({ me: { __typename: "User", id: "u1", email: "a@b.c", fullName: null, isSuperuser: false } }),
  ReadingPage: () => ({ page: page(changed) }),
});
const note = () => screen.queryByRole("region", { name: "Изменения на странице" });
const shownNote = () => screen.findByRole("region", { name: "Изменения на странице" });
const reread = () => screen.getByRole("button", { name: "Прочитано снова" });

test("a page without a change has no note", async () => {
  await renderApp("/view-page/p1", answers(null));
  await screen.findByText("Новый текст.");
  expect(note()).toBeNull();
});

test("an important change is told apart, and a text that is gone cannot be compared", async () => {
  await renderApp("/view-page/p1", answers(change({ importance: "IMPORTANT", before: null })));
  expect((await shownNote()).textContent).toMatch(/важное/);
  expect(screen.queryByRole("button", { name: "Что изменилось" })).toBeNull();
});

test("the note disappears at once, and the title has the focus", async () => {
  const user = userEvent.setup();
  const { asked } = await renderApp("/view-page/p1", {
    ...answers(change()),
    MarkReread: () => new Promise<object>(() => {}),
  });
  expect((await shownNote()).textContent).toMatch(/изменилась с\sтех\sпор/);
  await user.click(reread());
  await waitFor(() => expect(note()).toBeNull());
  expect(document.activeElement?.textContent).toBe("Владение");
  expect(asked.find(({ name }) => name === "MarkReread")?.variables).toEqual({
    input: { pageId: "p1", version: 5 },
  });
});

test("without the network the page cannot be marked, and the note says why", async () => {
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await renderApp("/view-page/p1", answers(change()));
  await shownNote();
  expect((reread() as HTMLButtonElement).disabled).toBe(true);
  expect(note()?.textContent).toMatch(/Нет\sсети/);
  isOnline.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect((reread() as HTMLButtonElement).disabled).toBe(false);
  expect(note()?.textContent).not.toMatch(/Нет\sсети/);
  isOnline.mockRestore();
});

test("a page that has changed once more keeps its note", async () => {
  const user = userEvent.setup();
  let send: (data: object) => void = () => undefined;
  await renderApp("/view-page/p1", {
    ...answers(change()),
    MarkReread: () => new Promise<object>((resolve) => (send = resolve)),
  });
  await shownNote();
  await user.click(reread());
  await waitFor(() => expect(note()).toBeNull());
  send({
    markReread: {
      __typename: "MarkRereadPayload",
      page: { __typename: "Page", id: "p1", version: 6, changeSinceRead: change() },
    },
  });
  await shownNote();
});

test("the texts are compared in a dialog, which can mark the page as well", async () => {
  const user = userEvent.setup();
  const { asked } = await renderApp("/view-page/p1", {
    ...answers(change()),
    TextRead: () => ({
      page: {
        __typename: "Page",
        id: "p1",
        title: "Владение",
        content: paragraph("Новый текст."),
        changeSinceRead: {
          __typename: "ChangeSinceRead",
          readAt: "2026-10-01T10:00:00Z",
          changedAt: "2026-11-01T10:00:00Z",
          before: {
            __typename: "TextRead",
            version: 3,
            title: "Владение",
            content: paragraph("Прежний текст."),
          },
        },
      },
    }),
    MarkReread: () => new Promise<object>(() => {}),
  });
  await shownNote();
  await user.click(screen.getByRole("button", { name: "Что изменилось" }));
  const dialog = await screen.findByRole("dialog", { name: "Что изменилось на странице" });
  await waitFor(() => expect(dialog.textContent).toContain("Прежний"));
  expect(dialog.textContent).toContain("1 октября");
  await user.click(screen.getAllByRole("button", { name: "Прочитано снова" }).at(-1) as HTMLElement);
  await waitFor(() => expect(note()).toBeNull());
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(asked.some(({ name }) => name === "MarkReread")).toBe(true);
});
