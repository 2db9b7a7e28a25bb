import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endSession, storeToken } from "../api/session";
import { type Answers, renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";
import type { Notice } from "./grouping";
import { aNotice, aPlace } from "./testing";

beforeAll(startI18n);
beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  endSession();
  localStorage.clear();
});

const me = { __typename: "User", id: "u1", email: "anna@example.com", fullName: null, isSuperuser: false };
const listOf = (items: readonly Notice[], next: string | null = null) => ({
  notices: {
    __typename: "NoticeList",
    items,
    next,
    unread: items.filter(({ isRead }) => !isRead).length,
  },
});

/** Opens the list with a fake server that has these notices. */
const open = (items: readonly Notice[], more: Answers = {}, address = "/notices") =>
  renderApp(address, { Me: () => ({ me }), Notices: () => listOf(items), ...more });
const links = () => within(screen.getByRole("main")).getAllByRole("link", { name: /страниц/ });
const operations = (asked: { name: string | undefined }[], name: string) =>
  asked.filter((one) => one.name === name);

describe("the bell", () => {
  const openBell = (unread: number, newest: string | null = null) =>
    renderApp("/accept-invitation", {
      Me: () => ({ me }),
      NoticesChanged: () => ({
        notices: {
          __typename: "NoticeArrival",
          unread,
          newest: newest && { __typename: "Notice", id: newest },
        },
      }),
    });

  test("is a link to the list until its code is loaded, and has the number of unread notices then", async () => {
    await openBell(3);
    expect(screen.getByRole("link", { name: "Уведомления" }).getAttribute("href")).toBe("/notices");
    const bell = await screen.findByRole("button", { name: /^Уведомления, 3\sнепрочитанных$/ });
    expect(bell.getAttribute("aria-haspopup")).toBe("dialog");
    expect(bell.textContent).toBe("3");
    expect(screen.queryByText(/^Новое уведомление/)).toBeNull();
  });

  test("counts no further than 99", async () => {
    await openBell(100);
    expect((await screen.findByRole("button", { name: /больше 99/ })).textContent).toBe("99+");
  });

  test("announces what arrives", async () => {
    await openBell(4, "4");
    const words = await screen.findByText("Новое уведомление. Непрочитанных: 4");
    expect(words.getAttribute("aria-live")).toBe("polite");
  });

  test("has no number when everything is read", async () => {
    await openBell(0);
    const bell = await screen.findByRole("button", { name: "Уведомления" });
    expect(bell.textContent).toBe("");
  });
});

describe("the list of notices", () => {
  test("has them by day and course, and says which are unread", async () => {
    await open([
      aNotice("3"),
      aNotice("2", { kind: "GRADED", isRead: true }),
      aNotice("1", { kind: "MENTION", course: aPlace("c2", null) }),
    ]);
    await screen.findByRole("heading", { level: 2 });
    expect(screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      "Основы Rust",
      "Курс без названия",
    ]);
    expect(links().map(({ textContent }) => textContent?.startsWith("Не прочитано."))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("reads a notice by opening it", async () => {
    const { asked, router } = await open(
      [aNotice("2", { kind: "GRADED" }), aNotice("1", { kind: "GRADED" })],
      {
        MarkNoticesRead: () => ({ markNoticesRead: { __typename: "MarkNoticesReadPayload", unread: 0 } }),
      },
    );
    fireEvent.click(await screen.findByRole("link", { name: /Проверены 2\sработы/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/view-page/p1"));
    expect(operations(asked, "MarkNoticesRead")).toEqual([
      { name: "MarkNoticesRead", variables: { input: { ids: ["2", "1"] } } },
    ]);
  });

  test("a notice that could not be marked is unread again", async () => {
    await open([aNotice("1", { kind: "GRADED" })], {
      MarkNoticesRead: () => Promise.reject(new TypeError("no network")),
    });
    const link = await screen.findByRole("link", { name: /^Не прочитано/ });
    // In another tab, so that the list stays.
    fireEvent(link, new MouseEvent("auxclick", { button: 1, bubbles: true }));
    await waitFor(() => expect(screen.queryByRole("link", { name: /^Не прочитано/ })).toBeNull());
    await screen.findByRole("link", { name: /^Не прочитано/ });
  });

  test("shows all as read at once, tells the server when it can no longer be undone, and can be undone", async () => {
    const { asked } = await open([aNotice("2"), aNotice("1", { kind: "MENTION" })]);
    await screen.findAllByRole("link", { name: /^Не прочитано/ });
    fireEvent.click(screen.getByRole("button", { name: "Прочитать все" }));
    await waitFor(() => expect(screen.queryAllByRole("link", { name: /^Не прочитано/ })).toEqual([]));
    fireEvent.click(await screen.findByRole("button", { name: "Отменить" }));
    await waitFor(() => expect(screen.getAllByRole("link", { name: /^Не прочитано/ })).toHaveLength(2));
    expect(operations(asked, "MarkAllNoticesRead")).toEqual([]);
  });

  test("continues with «Показать ещё»", async () => {
    await open([], {
      Notices: ({ after }) =>
        after === "2" ? listOf([aNotice("1", { kind: "GRADED" })]) : listOf([aNotice("2")], "2"),
    });
    fireEvent.click(await screen.findByRole("button", { name: "Показать ещё" }));
    await waitFor(() => expect(links()).toHaveLength(2));
    expect(screen.queryByRole("button", { name: "Показать ещё" })).toBeNull();
  });

  test("reads on when a part has nothing that may be read", async () => {
    await open([], { Notices: ({ after }) => (after === "2" ? listOf([aNotice("1")]) : listOf([], "2")) });
    await waitFor(() => expect(links()).toHaveLength(1));
  });

  test("says what will be in it", async () => {
    await open([]);
    await screen.findByRole("heading", { name: "Уведомлений пока нет" });
    cleanup();
    await open([], {}, "/notices?view=unread");
    await screen.findByRole("heading", { name: "Всё прочитано" });
  });

  test("asks for the unread ones alone", async () => {
    const { asked, router } = await open([aNotice("1")]);
    fireEvent.click(await screen.findByRole("radio", { name: "Непрочитанные" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ view: "unread" }));
    await waitFor(() =>
      expect(operations(asked, "Notices").at(-1)).toMatchObject({ variables: { unreadOnly: true } }),
    );
  });

  test("says that it could not be loaded, and tries again", async () => {
    let fails = true;
    await open([], {
      Notices: async () => {
        if (fails) throw new TypeError("no network");
        return listOf([aNotice("1")]);
      },
    });
    const again = await screen.findByRole("button", { name: "Повторить" });
    fails = false;
    fireEvent.click(again);
    await waitFor(() => expect(links()).toHaveLength(1));
  });
});
