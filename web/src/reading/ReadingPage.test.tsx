// @vitest-environment happy-dom
import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createCache } from "../api/cache";
import { notVisited } from "../testing/notVisited";
import { openTimes } from "../testing/openTimes";
import { renderInRouter } from "../testing/renderInRouter";
import { ReadingPage } from "./ReadingPage";

interface State {
  enrolled?: boolean;
  title?: string | null;
  kind?: "CONTENT" | "QUIZ";
  published?: boolean;
  isVisited?: boolean;
  lessonDone?: boolean;
  pagesDone?: number;
  last?: boolean;
  change?: object;
  /** Stored by another device. */
  place?: object;
}

/** Every test opens its own page, because a visit in progress is shared between tests. */
let pageId = "";
let lastPage = 0;

/** The server's answer for that page. */
function answer({ enrolled = true, title = "Владение", kind = "CONTENT", ...state }: State) {
  return {
    page: {
      __typename: "Page",
      id: pageId,
      title,
      number: 4,
      kind,
      published: state.published ?? true,
      isVisited: state.isVisited ?? false,
      version: 3,
      changeSinceRead: state.change ?? null,
      timeline: openTimes,
      content: {
        type: "doc",
        content: [{ type: "paragraph", content: [{ type: "text", text: "Слова страницы" }] }],
      },
      lesson: {
        __typename: "Lesson",
        id: "l1",
        title: "Понимание владения",
        isCompleted: state.lessonDone ?? false,
        module: { __typename: "Module", id: "m1", title: "С чего начать" },
      },
      course: {
        __typename: "Course",
        id: "c1",
        title: "Rust",
        timeZone: null,
        myRole: enrolled ? "LEARNER" : "OWNER",
        progress: { __typename: "Progress", pagesDone: state.pagesDone ?? 0, pagesTotal: 3 },
        enrollment: enrolled
          ? {
              __typename: "Enrollment",
              id: "e1",
              readingPlace: state.place ?? null,
              nextPage: {
                __typename: "Page",
                id: "p3",
                title: "Пропущенная",
                number: 1,
                reason: notVisited,
                timeline: openTimes,
              },
            }
          : null,
      },
      previousPage: { __typename: "Page", id: "p0", title: null, number: 3 },
      nextPage: state.last
        ? null
        : { __typename: "Page", id: "p2", title: "Срезы", number: 5, timeline: openTimes },
    },
  };
}

let reachEnd: () => void;
const visits: string[] = [];

async function open(state: State, answers = () => answer(state)) {
  const link = new ApolloLink((operation) => {
    const { id, input } = operation.variables;
    if (input) visits.push(input.pageId);
    return new Observable((observer) => {
      // Only the page itself is answered; the tree, the prefetch of the next page and the visit stay pending.
      if (id !== pageId || !["ReadingPage", "LockedPage"].includes(`${operation.operationName}`)) return;
      observer.next({ data: answers() });
      observer.complete();
    });
  });
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  await renderInRouter(
    <ApolloProvider client={client}>
      <ReadingPage pageId={pageId} />
    </ApolloProvider>,
  );
  await screen.findByRole("heading", { level: 1 });
  return client;
}

// On a busy machine the first import takes longer than the tests wait for an element.
beforeAll(async () => {
  await Promise.all([import("./tools/Later"), import("./LockedPage")]);
}, 30_000);

beforeEach(() => {
  visits.length = 0;
  lastPage += 1;
  pageId = `page-${lastPage}`;
  localStorage.clear();
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        reachEnd = () => callback([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the reading page", () => {
  it("shows the breadcrumbs, the title, the content and the neighbouring pages", async () => {
    await open({});
    const trail = screen.getByRole("navigation", { name: /находитесь/ });
    expect(trail.textContent).toMatch(/Rust.*С чего начать.*Понимание владения/);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Владение");
    expect(screen.getByText("Слова страницы")).toBeTruthy();
    expect(screen.getByRole("link", { name: /Назад.*Страница.3/ }).getAttribute("href")).toBe(
      "/view-page/p0",
    );
    expect(screen.getByRole("link", { name: /Дальше.*Срезы/ }).getAttribute("href")).toBe("/view-page/p2");
    await waitFor(() => expect(document.title).toBe("Владение — Rust"));
  });

  it("shows the number of a page without a title", async () => {
    await open({ title: null });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toMatch(/^Страница.4$/);
  });

  it("records the visit after the end was visible for a second, and not before", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open({});
    reachEnd();
    await act(() => vi.advanceTimersByTimeAsync(900));
    expect(visits).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(200));
    expect(visits).toEqual([pageId]);
    vi.useRealTimers();
  });

  it("records the visit when the learner follows the link to the next page", async () => {
    await open({});
    fireEvent.click(screen.getByRole("link", { name: /Дальше/ }));
    await waitFor(() => expect(visits).toEqual([pageId]));
  });

  it("records nothing twice", async () => {
    await open({ isVisited: true });
    fireEvent.click(screen.getByRole("link", { name: /Дальше/ }));
    expect(visits).toEqual([]);
  });

  it("records nothing for staff and shows that it is a preview", async () => {
    await open({ enrolled: false });
    expect(await screen.findByText(/предпросмотр/)).toBeTruthy();
    expect(screen.getByRole("link", { name: /Вернуться к/ }).getAttribute("href")).toBe(
      `/edit-page/${pageId}`,
    );
    fireEvent.click(screen.getByRole("link", { name: /Дальше/ }));
    expect(visits).toEqual([]);
  });

  it("lists the remaining pages at the end of the course", async () => {
    await open({ last: true, pagesDone: 2, isVisited: true });
    expect(await screen.findByText(/Осталось пройти ещё 1.страницу/)).toBeTruthy();
    expect(screen.getByRole("link", { name: /Пропущенная/ }).getAttribute("href")).toBe("/view-page/p3");
  });

  it("only mentions an earlier completion on the last page", async () => {
    await open({ last: true, pagesDone: 3, isVisited: true, lessonDone: true });
    expect(await screen.findByText(/Курс пройден\./)).toBeTruthy();
    expect(screen.queryByRole("heading", { level: 2, name: "Курс пройден!" })).toBeNull();
    expect(screen.queryByText(/Урок .* пройден/)).toBeNull();
  });

  it("celebrates the completion of the last page", async () => {
    const { cache } = await open({ last: true, pagesDone: 2 });
    expect(screen.queryByText(/Курс пройден/)).toBeNull();
    act(() => {
      cache.modify({
        id: "Course:c1",
        fields: { progress: (before) => ({ ...(before as object), pagesDone: 3 }) },
      });
    });
    await screen.findByRole("heading", { level: 2, name: "Курс пройден!" });
    expect(screen.getByText(/все 3.страницы курса «Rust»/)).toBeTruthy();
    expect(screen.getByRole("link", { name: /К.моим курсам/ }).getAttribute("href")).toBe("/");
  });
});

describe("a correction of an open page", () => {
  it("is shown after the return to the tab, and the blocks above it keep their elements", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const texts = ["Слова страницы"];
    await open({}, () => {
      const { page } = answer({});
      const content = texts.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] }));
      return { page: { ...page, content: { type: "doc", content } } };
    });
    const before = screen.getByText("Слова страницы");
    texts.push("Вставлено ниже");
    const returnToTab = () =>
      act(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    returnToTab();
    expect(screen.queryByText("Вставлено ниже")).toBeNull();

    vi.setSystemTime(Date.now() + 16_000);
    returnToTab();
    await screen.findByText("Вставлено ниже");
    expect(screen.getByText("Слова страницы")).toBe(before);
    vi.useRealTimers();
  });
});

describe("a next page that is locked", () => {
  const locked = () => {
    const { page } = answer({});
    return { page: { ...page, nextPage: { ...page.nextPage, timeline: { ...openTimes, state: "LOCKED" } } } };
  };

  it("is named and is no link, and the arrow key does not open it", async () => {
    await open({}, () => locked() as ReturnType<typeof answer>);
    expect(screen.getByText("Срезы")).toBeTruthy();
    expect(screen.getByText("Пока закрыто")).toBeTruthy();
    expect(screen.queryByRole("link", { name: /Срезы/ })).toBeNull();
    fireEvent.keyDown(document.body, { key: "ArrowRight" });
    expect(visits).toEqual([]);
  });
});

describe("a locked page that opens while it is shown", () => {
  let isOpen = false;
  let asked = 0;
  const refusal = new CombinedGraphQLErrors({
    data: null,
    errors: [{ message: "Страница закрыта", extensions: { code: "LOCKED" } }],
  });
  const answers = () => {
    asked += 1;
    if (asked === 1) throw refusal;
    const { page } = answer({});
    const timeline = { ...openTimes, state: isOpen ? "OPEN" : "LOCKED", reasons: [] };
    return { page: { ...page, timeline } } as unknown as ReturnType<typeof answer>;
  };
  const openIt = async () => {
    isOpen = true;
    act(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await screen.findByText("Слова страницы");
  };
  beforeEach(() => {
    isOpen = false;
    asked = 0;
  });

  it("moves the focus from its link to the title of the page", async () => {
    await open({}, answers);
    screen.getByRole("link", { name: /К.содержанию курса/ }).focus();
    await openIt();
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
  });

  it("does not take the focus from another part of the screen", async () => {
    await open({}, answers);
    const elsewhere = document.body.appendChild(document.createElement("input"));
    elsewhere.focus();
    await openIt();
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
  });
});

describe("the arrow keys", () => {
  it("go to the next page like the link", async () => {
    await open({});
    fireEvent.keyDown(document.body, { key: "ArrowRight" });
    await waitFor(() => expect(visits).toEqual([pageId]));
  });

  it.each(["input", "textarea", "video", "pre"])("are left to a focused %s", async (tag) => {
    await open({});
    const busy = document.createElement(tag);
    document.body.append(busy);
    fireEvent.keyDown(busy, { key: "ArrowRight" });
    busy.remove();
    expect(visits).toEqual([]);
  });

  it("do not override the browser's shortcuts", async () => {
    await open({});
    fireEvent.keyDown(document.body, { key: "ArrowRight", altKey: true });
    expect(visits).toEqual([]);
  });

  it("do nothing behind an open dialog", async () => {
    await open({});
    const dialog = document.createElement("dialog");
    dialog.setAttribute("open", "");
    document.body.append(dialog);
    fireEvent.keyDown(document.body, { key: "ArrowRight" });
    dialog.remove();
    expect(visits).toEqual([]);
  });
});
