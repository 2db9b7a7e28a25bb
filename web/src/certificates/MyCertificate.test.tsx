import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { returnPath } from "../api/returnPath";
import { storeToken } from "../api/session";
import { storeGuest } from "../guests/guestToken";
import { tokenOf } from "../guests/testing";
import { aLesson } from "../testing/aLesson";
import { openTimes } from "../testing/openTimes";
import { type Answers, renderApp } from "../testing/renderApp";

const COURSE = "01900000-0000-7000-8000-000000000000";

const page = (isCompleted: boolean) => ({
  __typename: "Page",
  id: "p1",
  title: "Зачем нужна",
  number: 1,
  kind: "CONTENT",
  published: true,
  isVisited: isCompleted,
  isCompleted,
  reason: null,
  timeline: openTimes,
});

interface World {
  /** Whether its only page is completed now. */
  isDone?: boolean;
  hasPages?: boolean;
  completedAt?: string | null;
}

const course = ({ isDone = true, hasPages = true, completedAt = "2026-03-05T10:00:00Z" }: World) => ({
  __typename: "Course",
  id: COURSE,
  title: "Морские узлы",
  description: null,
  timeZone: null,
  timeline: openTimes,
  myRole: "LEARNER",
  owner: { __typename: "CourseOwner", id: "u2", fullName: null },
  enrollment: {
    __typename: "Enrollment",
    id: "e1",
    groupTitle: null,
    completedAt,
    nextPage: isDone || !hasPages ? null : page(false),
  },
  progress: {
    __typename: "Progress",
    percent: isDone ? 100 : 0,
    pagesDone: hasPages && isDone ? 1 : 0,
    pagesTotal: hasPages ? 1 : 0,
    lessonsDone: hasPages && isDone ? 1 : 0,
    lessonsTotal: hasPages ? 1 : 0,
    completedAt,
  },
  modules: hasPages
    ? [
        {
          __typename: "Module",
          id: "m1",
          title: "Основы",
          description: null,
          avatarUrl: null,
          timeline: openTimes,
          lessons: [aLesson("Петля", [page(isDone)], { isCompleted: isDone, timeline: openTimes })],
        },
      ]
    : [],
});

const claim = (state: string, more: object = {}) => ({
  myCertificate: {
    __typename: "MyCertificate",
    courseId: COURSE,
    state,
    name: "Белова Ольга",
    basis: "COMPLETION",
    minPercent: null,
    pagesLeft: 0,
    resultsLeft: 0,
    percent: null,
    canReissue: false,
    certificate: null,
    ...more,
  },
});

const open = (world: World, certificate: Answers[string]) =>
  renderApp(`/view-course/${COURSE}`, {
    CourseTree: () => ({ course: course(world) }),
    CourseAnnouncements: () => ({
      course: {
        __typename: "Course",
        id: COURSE,
        announcements: { __typename: "AnnouncementList", unread: 0, canWrite: false, items: [] },
      },
    }),
    MyCertificate: certificate,
  });

const plain = (element: Element | null) => element?.textContent?.replaceAll("\u00a0", " ");
/** The labels of the buttons for main actions in the tab. */
const mainActions = () => [...document.querySelectorAll('main [data-variant="filled"]')].map(plain);
/** Watches the screen until it is called; tells whether it has looked so at any time. */
function watch(isSo: () => boolean) {
  let wasSo = false;
  const look = new MutationObserver(() => {
    wasSo ||= isSo();
  });
  look.observe(document.body, { childList: true, subtree: true });
  return () => {
    look.disconnect();
    return wasSo;
  };
}
const outline = () => screen.queryByRole("link", { name: /Зачем нужна/ });

beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

describe("a learner who has earned a certificate", () => {
  test("claims it with the only main button of the screen", async () => {
    await open({}, () => claim("AVAILABLE"));
    await screen.findByRole("button", { name: "Получить сертификат" });
    screen.getByRole("link", { name: /моим курсам/ });
    expect(mainActions()).toEqual(["Получить сертификат"]);
  });

  test("claims it rather than goes on with what was added to the course later", async () => {
    await open({ isDone: false }, () => claim("AVAILABLE"));
    await screen.findByRole("button", { name: "Получить сертификат" });
    expect(mainActions()).toEqual(["Получить сертификат"]);
  });

  test("has another main button when there is nothing to claim", async () => {
    await open({}, () => claim("NONE"));
    await screen.findByRole("link", { name: /моим курсам/ });
    expect(mainActions()).toEqual(["К моим курсам"]);
  });

  test("gets it also when the course has no pages any more", async () => {
    await open({ hasPages: false }, () => claim("AVAILABLE"));
    await screen.findByRole("button", { name: "Получить сертификат" });
    screen.getByRole("heading", { level: 2, name: /пока\sнет страниц/ });
  });
});

describe("a guest who has earned a certificate", () => {
  test.each([null, "Гость 1234"])("is told that it takes an account (name: %s)", async (name) => {
    storeGuest(tokenOf("guest"));
    await open({}, () => claim("AVAILABLE", { name }));
    const card = within(await screen.findByRole("region", { name: "Получите сертификат" }));
    const link = card.getByRole("link", { name: "зарегистрируйтесь" });
    expect(plain(link.closest("p"))).toBe(
      "Для сертификата нужен аккаунт: зарегистрируйтесь, и прогресс сохранится.",
    );
    expect(card.queryByRole("button")).toBeNull();
    expect(card.getAllByRole("link")).toEqual([link]);
    expect(mainActions()).toEqual(["К моим курсам"]);
    await userEvent.click(link);
    expect(returnPath()).toBe(`/view-course/${COURSE}`);
  });
});

describe("the outline", () => {
  test("is shown after the certificate above it, so that it does not move", async () => {
    let answer: (data: object) => void = () => undefined;
    const { asked } = await open({}, () => new Promise<object>((resolve) => (answer = resolve)));
    await expect.poll(() => asked.some(({ name }) => name === "MyCertificate")).toBe(true);
    expect(outline()).toBeNull();
    const hasMoved = watch(
      () => outline() !== null && screen.queryByRole("button", { name: "Получить сертификат" }) === null,
    );
    answer(claim("AVAILABLE"));
    await screen.findByRole("button", { name: "Получить сертификат" });
    await expect.poll(outline).not.toBeNull();
    expect(hasMoved()).toBe(false);
  });

  test("is shown after a second without an answer", async () => {
    await open({}, () => new Promise(() => undefined));
    await expect.poll(outline, { timeout: 5000 }).not.toBeNull();
  });

  test("is shown at once when the certificate is cached", async () => {
    const { router } = await open({}, () => claim("NONE"));
    await expect.poll(outline, { timeout: 5000 }).not.toBeNull();
    const show = (search: { tab?: "progress" }) =>
      router.navigate({ to: "/view-course/$courseId", params: { courseId: COURSE }, search });
    await show({ tab: "progress" });
    await expect.poll(outline).toBeNull();
    const wasAway = watch(() => document.querySelector("main h1") !== null && outline() === null);
    await show({});
    await expect.poll(outline).not.toBeNull();
    expect(wasAway()).toBe(false);
  });
});
