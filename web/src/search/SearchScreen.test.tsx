// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storeToken } from "../api/session";
import { type Answers, renderApp } from "../testing/renderApp";
import type { Match } from "./match";

const me = { __typename: "User", id: "u1", email: "anna@example.com", fullName: "Анна", isSuperuser: false };

function aMatch(pageId: string, more: Partial<Match> = {}) {
  const part = (text: string, matched: boolean) => ({ __typename: "FragmentPart", text, matched });
  return {
    __typename: "ContentMatch",
    kind: "PAGE",
    courseId: "c1",
    courseTitle: "Основы Rust",
    lessonTitle: "Память",
    pageId,
    title: `Страница о циклах, ${pageId}`,
    number: 1,
    pageKind: "CONTENT",
    published: true,
    inDraft: false,
    myRole: "LEARNER",
    bankId: null,
    bankTitle: null,
    questionId: null,
    fragments: [
      {
        __typename: "ContentFragment",
        block: 3,
        questionId: null,
        parts: [part("… про ", false), part("циклы", true), part(" и ссылки", false)],
      },
    ],
    ...more,
  };
}

const answers = (found: ReturnType<typeof aMatch>[], more: Answers = {}): Answers => ({
  Me: () => ({ me }),
  PaletteSearch: () => ({ search: { __typename: "FoundConnection", totalCount: 0, nodes: [] } }),
  SearchCourses: () => ({
    search: {
      __typename: "FoundConnection",
      nodes: [{ __typename: "Found", id: "c1", title: "Основы Rust" }],
    },
  }),
  SearchContent: ({ first, after }) => {
    const begin = Number(after ?? 0);
    const nodes = found.slice(begin, begin + Number(first));
    const end = begin + nodes.length;
    return {
      searchContent: {
        __typename: "ContentMatchConnection",
        totalCount: found.length,
        pageInfo: { __typename: "PageInfo", hasNextPage: end < found.length, endCursor: String(end) },
        nodes,
      },
    };
  },
  ...more,
});

beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

test("an empty search shows a hint and sends no request", async () => {
  const { asked } = await renderApp("/search", answers([]));
  await screen.findByRole("heading", { name: "Что найти?" });
  expect(asked.map(({ name }) => name)).not.toContain("SearchContent");
});

test("a result has its path, a marked snippet, and links to the place", async () => {
  await renderApp("/search?text=цикл", answers([aMatch("p1", { published: false })]));
  const result = (await screen.findByRole("heading", { level: 3 })).closest("li") as HTMLElement;
  expect(within(result).getByText("Память")).toBeTruthy();
  expect(within(result).getByText("Черновик")).toBeTruthy();
  expect([...result.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["цикл", "циклы"]);
  for (const link of within(result).getAllByRole("link"))
    expect(decodeURIComponent(link.getAttribute("href") ?? "")).toBe(
      "/view-page/p1#find=циклы&after=про&block=3",
    );
});

test("further results are asked for once, and the address keeps their number", async () => {
  const found = Array.from({ length: 25 }, (_, index) => aMatch(`p${index}`));
  const { asked, router } = await renderApp("/search?text=цикл", answers(found));
  await userEvent.click(await screen.findByRole("button", { name: "Показать ещё" }));
  await waitFor(() => expect(screen.getAllByRole("heading", { level: 3 })).toHaveLength(25));
  expect(router.state.location.search).toEqual({ text: "цикл", page: 2 });
  expect(document.activeElement?.getAttribute("href")).toContain("/view-page/p20");
  const contents = asked.filter(({ name }) => name === "SearchContent");
  expect(contents.map(({ variables }) => [variables.first, variables.after])).toEqual([
    [20, undefined],
    [20, "20"],
  ]);
});

test("nothing found in a course offers to search in all of them", async () => {
  const { router } = await renderApp("/search?text=цикл&course=c1", answers([]));
  await userEvent.click(await screen.findByRole("button", { name: "Искать во всех курсах" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ text: "цикл" }));
});

test("a failed search can be repeated", async () => {
  let fails = true;
  const given = answers([aMatch("p1")]);
  await renderApp("/search?text=цикл", {
    ...given,
    SearchContent: (variables) => {
      if (fails) throw new Error("offline");
      return given.SearchContent?.(variables) ?? {};
    },
  });
  await screen.findByRole("alert");
  fails = false;
  await userEvent.click(screen.getByRole("button", { name: "Повторить" }));
  await screen.findByRole("heading", { level: 3 });
});
