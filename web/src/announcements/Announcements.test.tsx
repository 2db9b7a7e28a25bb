import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, conflictError } from "../api/apiError";
import { type Answers, renderApp } from "../testing/renderApp";
import { toastStore } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import type { Announcement } from "./list";
import { anAnnouncement, aText, idOfNumber } from "./testing";

/** The elements that are observed, and what reports them as seen. */
const observed = new Map<Element, (isShown: boolean) => void>();

beforeEach(() => {
  localStorage.setItem("access_token", "token");
  vi.stubGlobal("scrollTo", () => {});
  Element.prototype.scrollIntoView = vi.fn();
  class Observer {
    private element: Element | undefined;
    constructor(private readonly report: (entries: unknown[]) => void) {}
    observe(element: Element) {
      this.element = element;
      observed.set(element, (isIntersecting) =>
        this.report([
          {
            isIntersecting,
            intersectionRatio: Number(isIntersecting),
            intersectionRect: { height: 100 },
            rootBounds: { height: 800 },
          },
        ]),
      );
    }
    disconnect() {
      if (this.element) observed.delete(this.element);
    }
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(async () => {
  await settleUndoable();
  cleanup();
  observed.clear();
  toastStore.setState(() => []);
  vi.unstubAllGlobals();
  localStorage.clear();
});

const me = { __typename: "User", id: "u1", email: "vera@example.com", fullName: "Вера", isSuperuser: false };

interface World {
  items: Announcement[];
  canWrite?: boolean;
  myRole?: string;
  next?: string | null;
}

const listOf = ({ items, canWrite = false, myRole = "LEARNER", next = null }: World) => ({
  course: {
    __typename: "Course",
    id: "c1",
    title: "Основы Rust",
    timeZone: "Europe/Moscow",
    myRole,
    announcements: {
      __typename: "AnnouncementList",
      items,
      next,
      unread: items.filter(({ isRead }) => !isRead).length,
      canWrite,
    },
  },
});

/** Opens the screen with a fake server that has these announcements. */
const open = (world: World, more: Answers = {}, rest = "") =>
  renderApp(`/view-course/c1/announcements${rest}`, {
    Me: () => ({ me }),
    Announcements: () => listOf(world),
    CourseGroups: () => ({ course: { __typename: "Course", id: "c1", groups: [] } }),
    AnnouncementPages: () => ({ course: { __typename: "Course", id: "c1", modules: [] } }),
    ...more,
  });
const articles = () => screen.findAllByRole("article");
const inputs = (asked: { name: string | undefined; variables: Record<string, unknown> }[], name: string) =>
  asked.filter((one) => one.name === name).map(({ variables }) => variables.input);
const plain = (text: string | null) => (text ?? "").replaceAll("\u00a0", " ");

describe("the list of announcements", () => {
  test("shows whole texts and which are new, and marks those on the screen as read", async () => {
    const { asked } = await open(
      { items: [anAnnouncement(2, { isRead: false }), anAnnouncement(1)] },
      {
        MarkAnnouncementsRead: () => ({
          markAnnouncementsRead: {
            __typename: "MarkAnnouncementsReadPayload",
            unread: 0,
            courseId: "c1",
          },
        }),
      },
    );
    const [newest, older] = await articles();
    expect(newest?.textContent).toContain("Новое");
    expect(newest?.textContent).toContain("Текст 2");
    expect(older?.textContent).not.toContain("Новое");
    expect(screen.queryByRole("button", { name: /^Действия/ })).toBeNull();

    observed.get(newest as Element)?.(true);
    await waitFor(() =>
      expect(inputs(asked, "MarkAnnouncementsRead")).toEqual([
        { courseId: "c1", announcementIds: [idOfNumber(2)] },
      ]),
    );
    // The mark «Новое» stays while the list is open.
    expect(newest?.textContent).toContain("Новое");
  });

  test("does not mark an announcement that was on the screen only for a moment", async () => {
    const { asked } = await open({ items: [anAnnouncement(1, { isRead: false })] });
    const [article] = await articles();
    observed.get(article as Element)?.(true);
    observed.get(article as Element)?.(false);
    await new Promise((done) => setTimeout(done, 1600));
    expect(inputs(asked, "MarkAnnouncementsRead")).toEqual([]);
  });

  test("sends one request per visit, even if it fails", async () => {
    const { asked } = await open(
      { items: [anAnnouncement(1, { isRead: false })] },
      { MarkAnnouncementsRead: () => Promise.reject(ApiError.unreachable("/graphql", "mutation")) },
    );
    const [article] = await articles();
    observed.get(article as Element)?.(true);
    await waitFor(() => expect(inputs(asked, "MarkAnnouncementsRead")).toHaveLength(1));
    // A browser reports what is visible to each new observer.
    await new Promise((done) => setTimeout(done, 100));
    observed.get(article as Element)?.(true);
    await new Promise((done) => setTimeout(done, 1600));
    expect(inputs(asked, "MarkAnnouncementsRead")).toHaveLength(1);
    expect(article?.textContent).toContain("Новое");
  });

  test("focuses the announcement that the address names, also one that is not in the loaded part", async () => {
    const old = anAnnouncement(1);
    await open(
      { items: [anAnnouncement(9), anAnnouncement(8)], next: "8" },
      { Announcement: () => ({ announcement: old }) },
      `#a-${old.id}`,
    );
    await waitFor(() => expect(document.activeElement?.id).toBe(`a-${old.id}`));
    expect(await articles()).toHaveLength(3);
    expect(screen.getByRole("button", { name: "Показать ещё" })).toBeTruthy();
  });

  test("says that an announcement is gone", async () => {
    const gone = new ApiError({ url: "/graphql", status: 404, statusText: "Not Found", body: undefined });
    await open(
      { items: [anAnnouncement(2)] },
      { Announcement: () => Promise.reject(gone) },
      `#a-${idOfNumber(1)}`,
    );
    expect(await screen.findByText("Этого объявления больше нет.")).toBeTruthy();
  });

  test.each([
    ["LEARNER", false, /захотят сообщить всем/],
    ["REVIEWER", false, /пишут владелец курса и преподаватели/],
    ["TEACHER", true, /Напишите первое/],
  ])("without announcements says to a %s what to do", async (myRole, canWrite, text) => {
    await open({ items: [], canWrite, myRole });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryAllByRole("link", { name: "Написать объявление" })).toHaveLength(Number(canWrite));
  });
});

describe("those who write", () => {
  const teacher = { canWrite: true, myRole: "TEACHER" };
  const menu = async (title: string, item: string) => {
    fireEvent.click(await screen.findByRole("button", { name: new RegExp(`^Действия.*«${title}»$`) }));
    fireEvent.click(await screen.findByRole("menuitem", { name: item }));
  };

  test("see who has read, and when scheduled ones are published", async () => {
    const scheduled = anAnnouncement(3, { publishedAt: null, publishAt: "2099-12-05T06:00:00Z" });
    await open({
      ...teacher,
      items: [
        scheduled,
        anAnnouncement(2, { readers: 12, receivers: 30 }),
        anAnnouncement(1, { readers: 0, receivers: 30 }),
      ],
    });
    const [first, second, third] = await articles();
    expect(plain(first?.textContent ?? null)).toMatch(/Выйдет 5 декабря 2099.* в 0?9:00 по времени курса/);
    expect(plain(second?.textContent ?? null)).toContain("Прочитали 12 из 30");
    expect(third?.textContent).toContain("Пока никто не прочитал");
  });

  test("pin one at once, which moves it to the top", async () => {
    const { asked } = await open({ ...teacher, items: [anAnnouncement(2), anAnnouncement(1)] });
    await menu("Объявление 1", "Закрепить");
    await waitFor(async () => expect((await articles())[0]?.textContent).toContain("Объявление 1"));
    expect((await articles())[0]?.textContent).toContain("Закреплено");
    expect(inputs(asked, "UpdateAnnouncement")).toEqual([
      { announcementId: idOfNumber(1), version: 1, isPinned: true },
    ]);
  });

  test("delete one, which can be undone", async () => {
    const { asked } = await open(
      { ...teacher, items: [anAnnouncement(2), anAnnouncement(1)] },
      {
        DeleteAnnouncement: () => ({
          deleteAnnouncement: { __typename: "DeleteAnnouncementPayload", announcementId: idOfNumber(2) },
        }),
      },
    );
    await menu("Объявление 2", "Удалить");
    await waitFor(async () => expect(await articles()).toHaveLength(1));
    fireEvent.click(await screen.findByRole("button", { name: "Отменить" }));
    await waitFor(async () => expect(await articles()).toHaveLength(2));
    expect(inputs(asked, "DeleteAnnouncement")).toEqual([]);
    await menu("Объявление 2", "Удалить");
    await settleUndoable();
    expect(inputs(asked, "DeleteAnnouncement")).toEqual([{ announcementId: idOfNumber(2) }]);
  });

  test("are asked before a scheduled one is published at once", async () => {
    const scheduled = anAnnouncement(1, { publishedAt: null, publishAt: "2099-12-05T06:00:00Z" });
    const { asked } = await open({ ...teacher, items: [scheduled] });
    await menu("Объявление 1", "Опубликовать сейчас");
    const dialog = await screen.findByRole("dialog", { name: /^Опубликовать «Объявление 1»\sсейчас\?$/ });
    expect(inputs(asked, "UpdateAnnouncement")).toEqual([]);
    fireEvent.click(within(dialog).getByRole("button", { name: "Опубликовать" }));
    await waitFor(() =>
      expect(inputs(asked, "UpdateAnnouncement")).toEqual([
        { announcementId: idOfNumber(1), version: 1, publishAt: null },
      ]),
    );
  });
});

describe("writing an announcement", () => {
  const teacher = { canWrite: true, myRole: "TEACHER" };
  const title = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Заголовок" });
  const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
  const type = async (text: string) => fireEvent.change(await title(), { target: { value: text } });

  test("publishes it and leads to it", async () => {
    const created = anAnnouncement(5, { title: "Занятие перенесено" });
    const items: Announcement[] = [];
    const { asked, router } = await open(
      { ...teacher, items },
      {
        CreateAnnouncement: () => {
          items.push(created);
          return { createAnnouncement: { __typename: "AnnouncementPayload", announcement: created } };
        },
      },
      "?write=new",
    );
    await type("Занятие перенесено");
    press("Опубликовать");
    expect(await screen.findByRole("article")).toBeTruthy();
    expect(router.state.location).toMatchObject({ hash: `a-${created.id}`, search: {} });
    expect(inputs(asked, "CreateAnnouncement")).toMatchObject([
      { courseId: "c1", groupId: null, title: "Занятие перенесено", publishAt: null, isPinned: false },
    ]);
    expect(Object.keys(localStorage).filter((key) => key.startsWith("announcement-draft:"))).toEqual([]);
  });

  test("can link to every page of the course", async () => {
    const page = (id: string, title: string | null, number: number) => ({
      __typename: "Page",
      id,
      title,
      number,
    });
    const lesson = {
      __typename: "Lesson",
      id: "l1",
      title: "Владение",
      pages: [page("p1", "Перемещение", 1), page("p2", null, 2)],
    };
    const modules = [{ __typename: "Module", id: "m1", lessons: [lesson] }];
    const { asked } = await open(
      { ...teacher, items: [] },
      { AnnouncementPages: () => ({ course: { __typename: "Course", id: "c1", modules } }) },
      "?write=new",
    );
    await title();
    fireEvent.click(await screen.findByRole("button", { name: /^Ссылка/ }));
    const pages = await screen.findByRole("group", { name: "Страницы курса" });
    const found = await within(pages).findAllByRole("button");
    expect(found.map((button) => button.textContent)).toEqual(["ПеремещениеВладение", "Страница 2Владение"]);
    expect(asked.map(({ name }) => name)).not.toContain("PageCourse");
  });

  test("says what is missing and keeps the focus there", async () => {
    const { asked } = await open({ ...teacher, items: [] }, {}, "?write=new");
    await title();
    fireEvent.click(screen.getByRole("radio", { name: /^В\sназначенное время$/ }));
    press("Запланировать");
    expect(await screen.findByText("Введите название")).toBeTruthy();
    expect(screen.getByText("Укажите день и время")).toBeTruthy();
    await waitFor(async () => expect(document.activeElement).toBe(await title()));
    expect(inputs(asked, "CreateAnnouncement")).toEqual([]);
  });

  test("keeps the draft on the device after closing, and the list leads back to it", async () => {
    await open({ ...teacher, items: [] }, {}, "?write=new");
    await type("Занятие перенесено");
    expect(await screen.findByText(/^Черновик сохраняется на\sэтом устройстве/)).toBeTruthy();
    press("Закрыть");
    const note = await screen.findByRole("region", { name: "Черновик" });
    expect(note.textContent).toContain("Занятие перенесено");
    fireEvent.click(within(note).getByRole("link", { name: "Продолжить" }));
    await waitFor(async () => expect((await title()).value).toBe("Занятие перенесено"));
    expect(screen.getByText("Здесь ваш несохранённый текст.")).toBeTruthy();
  });

  test("offers to restore a deleted draft", async () => {
    await open({ ...teacher, items: [] }, {}, "?write=new");
    await type("Занятие перенесено");
    press("Закрыть");
    const note = await screen.findByRole("region", { name: "Черновик" });
    fireEvent.click(within(note).getByRole("button", { name: "Удалить черновик" }));
    await waitFor(() => expect(screen.queryByRole("region", { name: "Черновик" })).toBeNull());
    press("Отменить");
    expect(await screen.findByRole("region", { name: "Черновик" })).toBeTruthy();
  });

  test("does not publish twice when the first answer was lost", async () => {
    const lost = ApiError.unreachable("/graphql", "query");
    const items: Announcement[] = [];
    const created = anAnnouncement(5, {
      title: "Занятие перенесено",
      content: { type: "doc", content: [{ type: "paragraph" }] },
      author: { __typename: "PersonName", id: "u1", fullName: "Вера" } as Announcement["author"],
    });
    const { asked } = await open(
      { ...teacher, items },
      {
        CreateAnnouncement: () => {
          items.push(created);
          return Promise.reject(lost);
        },
      },
      "?write=new",
    );
    await type("Занятие перенесено");
    press("Опубликовать");
    expect(await screen.findByRole("alert")).toBeTruthy();
    press("Опубликовать");
    expect(await screen.findByRole("article")).toBeTruthy();
    expect(inputs(asked, "CreateAnnouncement")).toHaveLength(1);
  });

  test("shows both texts when somebody else has changed it, and saves the own one over it", async () => {
    const theirs = anAnnouncement(1, { title: "Их заголовок", content: aText("Их текст"), version: 2 });
    let refusals = 0;
    const { asked } = await open(
      { ...teacher, items: [anAnnouncement(1)] },
      {
        Announcement: () => ({ announcement: theirs }),
        UpdateAnnouncement: () => {
          refusals += 1;
          return refusals === 1
            ? Promise.reject(conflictError("Объявление изменили"))
            : {
                updateAnnouncement: {
                  __typename: "AnnouncementPayload",
                  announcement: { ...theirs, title: "Мой заголовок", version: 3 },
                },
              };
        },
      },
      `?write=${idOfNumber(1)}`,
    );
    await type("Мой заголовок");
    press("Сохранить");
    const conflict = await screen.findByText(/объявление изменил кто-то ещё/);
    expect(conflict).toBeTruthy();
    expect(screen.getByText("Их текст")).toBeTruthy();
    expect((await title()).value).toBe("Мой заголовок");
    press("Сохранить мой текст");
    await screen.findByRole("article");
    expect(inputs(asked, "UpdateAnnouncement")).toMatchObject([
      { version: 1, title: "Мой заголовок" },
      { version: 2, title: "Мой заголовок", content: aText("Текст 1") },
    ]);
  });

  test("is refused to those who may not write", async () => {
    await open({ items: [] }, {}, "?write=new");
    expect(await screen.findByText(/могут только его владелец и преподаватели/)).toBeTruthy();
    expect(screen.queryByRole("textbox", { name: "Заголовок" })).toBeNull();
  });
});
