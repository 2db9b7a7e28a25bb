import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { conflictError } from "../api/apiError";
import { type Answers, renderApp } from "../testing/renderApp";
import type { Thread } from "./threads";

const VERA = {
  __typename: "PersonName" as const,
  id: "11111111-1111-4111-8111-111111111111",
  fullName: "Вера",
};
const ME = { __typename: "PersonName" as const, id: "me", fullName: "Роман" };

beforeEach(() => {
  localStorage.setItem("access_token", "token");
  vi.stubGlobal("scrollTo", () => {});
  Element.prototype.scrollIntoView = () => {};
  class Observer {
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal("ResizeObserver", Observer);
  vi.stubGlobal("IntersectionObserver", Observer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });

function thread(id: string, text: string, block: number | null, over: Partial<Thread> = {}): Thread {
  return {
    __typename: "CommentThread",
    id,
    state: "OPEN",
    createdAt: "2026-11-01T10:00:00Z",
    startedBy: { __typename: "PersonName", id: VERA.id },
    resolvedAt: null,
    resolvedBy: null,
    isUnread: false,
    anchor: { __typename: "CommentAnchor", block, quote: `цитата ${id}` },
    comments: [
      {
        __typename: "PageComment",
        id: `${id}-1`,
        text,
        createdAt: "2026-11-01T10:00:00Z",
        editedAt: null,
        isMine: false,
        author: VERA,
        mentions: [],
      },
    ],
    suggestion: null,
    ...over,
  } as Thread;
}

/** Opens a page of two blocks as a reviewer. */
async function openPage(address: string, threads: () => Thread[], answers: Answers = {}) {
  const page = {
    __typename: "Page",
    id: "p",
    title: "Страница",
    number: 1,
    kind: "CONTENT",
    published: true,
    version: 3,
    pageDraft: null,
    content: { type: "doc", content: [paragraph("Первый абзац."), paragraph("Второй абзац.")] },
    authorQuiz: null,
    updatedAt: "2026-11-01T00:00:00Z",
    lesson: {
      __typename: "Lesson",
      id: "l",
      title: "Урок",
      module: { __typename: "Module", id: "m", title: "Модуль" },
    },
    course: { __typename: "Course", id: "c", title: "Курс", myRole: "REVIEWER" },
  };
  const app = await renderApp(address, {
    EditPage: () => ({ me: { __typename: "User", id: "me" }, page }),
    PageThreads: () => ({
      page: { __typename: "Page", id: "p", version: 3, pageDraft: null, commentThreads: threads() },
    }),
    ...answers,
  });
  await screen.findByText("Второй абзац.", { exact: false });
  return app;
}

const panel = () => screen.findByRole("region", { name: "Комментарии" });
const field = (name: string) => screen.findByRole<HTMLTextAreaElement>("textbox", { name });

test("threads are listed in the order of their blocks, and the address focuses one of them", async () => {
  const threads = [
    thread("lost", "О пропавшем", null),
    thread("second", "О втором", 1),
    thread("page", "О странице", null, { anchor: null }),
    thread("first", "О первом", 0),
    thread("done", "Решённое", 0, {
      state: "RESOLVED",
      resolvedAt: "2026-11-02T10:00:00Z",
      resolvedBy: VERA,
    }),
  ];
  await openPage("/edit-page/p?thread=second", () => threads);
  await waitFor(() => expect(document.activeElement?.id).toBe("thread-second"));
  const ids = [...(await panel()).querySelectorAll("li[id^=thread-]")].map(({ id }) => id);
  expect(ids).toEqual(["thread-page", "thread-first", "thread-second", "thread-lost"]);
  // A reviewer resolves only threads of their own.
  expect(screen.queryByRole("button", { name: "Решено" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /^Решённые: 1/ }));
  expect((await panel()).querySelectorAll("li[id^=thread-]")).toHaveLength(1);
});

test("the address may also name a comment, whose thread has the focus then", async () => {
  await openPage("/edit-page/p?thread=second-1", () => [
    thread("first", "О первом", 0),
    thread("second", "О втором", 1),
  ]);
  await waitFor(() => expect(document.activeElement?.id).toBe("thread-second"));
});

test("a thread that no longer exists is told, and the list opens", async () => {
  await openPage("/edit-page/p?thread=gone", () => [thread("first", "О первом", 0)]);
  await screen.findByText(/Такого обсуждения больше нет/);
  await screen.findByText("О первом");
});

test("a mention is chosen by keys, sent with its ID, and the draft is kept until then", async () => {
  const threads: Thread[] = [];
  const sent: unknown[] = [];
  await openPage("/edit-page/p", () => threads, {
    Commenters: () => ({
      course: {
        __typename: "Course",
        id: "c",
        commenters: [
          { __typename: "Commenter", id: VERA.id, fullName: "Вера", email: "v@example.org" },
          { __typename: "Commenter", id: ME.id, fullName: "Роман", email: "r@example.org" },
        ],
      },
    }),
    StartThread: ({ input }) => {
      sent.push(input);
      threads.push(thread("new", "…", null, { anchor: null }));
      return {
        startThread: { thread: threads[0], page: { __typename: "Page", id: "p", openThreadCount: 1 } },
      };
    },
  });
  fireEvent.click(screen.getByRole("button", { name: /^Комментарии/ }));
  await screen.findByText("Открытых обсуждений нет");
  fireEvent.click(screen.getByRole("button", { name: /^О.странице$/ }));
  const text = await field("Новый комментарий");
  fireEvent.change(text, { target: { value: "Взгляните, @ве", selectionStart: 14 } });
  const options = await screen.findAllByRole("option");
  expect(options.map((option) => option.textContent)).toEqual(["Вераv@example.org"]);
  expect(text.getAttribute("aria-activedescendant")).toBe(options[0]?.id);
  fireEvent.keyDown(text, { key: "Enter" });
  expect(text.value).toBe("Взгляните, @Вера ");

  // Closed and opened again, the panel has what was typed.
  fireEvent.keyDown(text, { key: "Escape" });
  expect(screen.queryByRole("region", { name: "Комментарии" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /^Комментарии/ }));
  const again = await field("Новый комментарий");
  expect(again.value).toBe("Взгляните, @Вера ");
  fireEvent.keyDown(again, { key: "Enter", ctrlKey: true });
  await waitFor(() => expect(document.activeElement?.id).toBe("thread-new"));
  expect(sent).toEqual([{ pageId: "p", text: `Взгляните, @[Вера](user:${VERA.id})`, version: 3 }]);
  expect(Object.keys(localStorage).filter((key) => key.startsWith("comment-draft:"))).toEqual([]);
});

test("an answer that could not be sent stays with the reason", async () => {
  await openPage("/edit-page/p?thread=first", () => [thread("first", "О первом", 0)], {
    AddComment: () => {
      throw conflictError("В обсуждении слишком много комментариев");
    },
  });
  const answer = await field("Ответ: цитата first");
  fireEvent.change(answer, { target: { value: "Согласен" } });
  fireEvent.keyDown(answer, { key: "Enter", ctrlKey: true });
  await screen.findByText("В обсуждении слишком много комментариев");
  expect(answer.value).toBe("Согласен");
  expect(localStorage.getItem("comment-draft:me:answer:first")).toContain("Согласен");
});

test("deleting one's comment can be undone, and is sent when it is not", async () => {
  const mine = thread("first", "Моё", 0);
  mine.comments = mine.comments.map((comment) => ({ ...comment, isMine: true, author: ME }));
  const app = await openPage("/edit-page/p?thread=first", () => [mine]);
  await screen.findByText("Моё");
  const remove = async () => {
    fireEvent.click(await screen.findByRole("button", { name: /^Действия с.комментарием/ }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "Удалить" }));
    await waitFor(() => expect(screen.queryByText("Моё")).toBeNull());
  };
  await remove();
  fireEvent.click(screen.getByRole("button", { name: "Отменить" }));
  await screen.findByText("Моё");
  expect(app.asked.some(({ name }) => name === "DeleteComment")).toBe(false);
  await remove();
  const toast = screen.getByText("Комментарий удалён").closest("[role]") as HTMLElement;
  fireEvent.click(within(toast).getByRole("button", { name: "Закрыть" }));
  await waitFor(() => expect(app.asked.at(-1)?.name).toBe("DeleteComment"));
});
