import { ApolloClient, ApolloLink, type FetchResult, Observable } from "@apollo/client";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { aLesson } from "../testing/aLesson";
import { startI18n } from "../testing/startI18n";
import { hiddenItems } from "../ui/hiddenItems";
import { dismissToast, runToastAction, toastStore } from "../ui/toasts";
import { EditCourseDocument, type EditCourseQuery } from "./EditCourse.generated";
import { OutlineEdits } from "./outlineEdits";
import type { Tree } from "./tree";

const page = (id: string) => ({ __typename: "Page", id, title: id, kind: "CONTENT", published: true });
const lesson = (id: string, pages: string[]) => aLesson(id, pages.map(page));
const module = (id: string, lessons: ReturnType<typeof lesson>[]) => ({
  __typename: "Module",
  id,
  title: id,
  description: null,
  avatarUrl: null,
  lessons,
});

interface Asked {
  name: string;
  input: Record<string, unknown>;
  answer: (data: unknown) => void;
  refuse: (error: Error) => void;
}

let asked: Asked[];
let client: ApolloClient;
let edits: OutlineEdits;

beforeAll(startI18n);
beforeEach(() => {
  asked = [];
  const link = new ApolloLink(
    (operation) =>
      new Observable<FetchResult>((observer) => {
        asked.push({
          name: operation.operationName ?? "",
          input: operation.variables.input as Record<string, unknown>,
          answer: (data) => {
            observer.next({ data } as FetchResult);
            observer.complete();
          },
          refuse: (error) => observer.error(error),
        });
      }),
  );
  client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  client.writeQuery({
    query: EditCourseDocument,
    variables: { id: "c" },
    data: {
      course: {
        __typename: "Course",
        id: "c",
        title: "Курс",
        description: null,
        myRole: "OWNER",
        shareCode: null,
        studentsCount: 0,
        owner: { __typename: "CourseOwner", id: "o", fullName: null, email: "o@example.com" },
        modules: [module("M", [lesson("a", ["1", "2", "3"]), lesson("b", ["4"])])],
      },
    } as EditCourseQuery,
  });
  edits = new OutlineEdits(client, "c");
});

function shown(): string {
  const course = client.readQuery({ query: EditCourseDocument, variables: { id: "c" } })?.course as
    | Tree
    | undefined;
  return (course?.modules ?? [])
    .flatMap((module) =>
      module.lessons.map((one) => `${one.id}:${one.pages.map((page) => page.title).join("")}`),
    )
    .join(" ");
}

const settle = () => new Promise((done) => setTimeout(done));
const moved = (id: string, ...lessons: ReturnType<typeof lesson>[]) => ({
  updatePage: {
    __typename: "UpdatePagePayload",
    page: page(id),
    lesson: lessons[0],
    previousLesson: lessons[1] ?? null,
    conflict: null,
  },
});

describe("a move", () => {
  test("shows at once and is sent to the server page by page", async () => {
    edits.move(["1", "2"], { parentId: "b", before: null });
    expect(shown()).toBe("a:3 b:412");
    await settle();
    expect(asked.map(({ input }) => input)).toEqual([{ pageId: "1", lessonId: "b", position: 1 }]);
    asked[0]?.answer(moved("1", lesson("b", ["4", "1"]), lesson("a", ["2", "3"])));
    await settle();
    // The first answer does not include the second move, so it is not shown.
    expect(shown()).toBe("a:3 b:412");
    expect(asked[1]?.input).toEqual({ pageId: "2", lessonId: "b", position: 2 });
    asked[1]?.answer(moved("2", lesson("b", ["4", "1", "2", "5"]), lesson("a", ["3"])));
    await settle();
    // Another editor has added a page in the meantime.
    expect(shown()).toBe("a:3 b:4125");
    expect(edits.queue.state.get()).toBe("saved");
  });

  test("is undone in the same way", async () => {
    const undo = edits.move(["3"], { parentId: "a", before: "1" });
    expect(shown()).toBe("a:312 b:4");
    undo?.();
    expect(shown()).toBe("a:123 b:4");
    await settle();
    asked[0]?.answer(moved("3", lesson("a", ["3", "1", "2"])));
    await settle();
    expect(asked[1]?.input).toEqual({ pageId: "3", position: 2 });
  });

  test("to the current position sends nothing", () => {
    expect(edits.move(["1"], { parentId: "a", before: "2" })).toBeNull();
    expect(edits.queue.state.get()).toBe("saved");
  });
});

describe("a title", () => {
  test("shows at once and reverts when the server refuses it", async () => {
    const renamed = edits.rename("page", "1", "Один");
    expect(shown()).toBe("a:Один23 b:4");
    await settle();
    asked[0]?.refuse(new Error("no"));
    await expect(renamed).rejects.toThrow("no");
    expect(shown()).toBe("a:123 b:4");
  });
});

describe("a deletion", () => {
  test("hides the item and reaches the server when its toast closes", async () => {
    edits.remove(["2"], "Страница удалена");
    expect(hiddenItems.get().has("2")).toBe(true);
    await settle();
    expect(asked).toEqual([]);
    dismissToast(toastStore.get().at(-1)?.id ?? 0);
    await settle();
    expect(asked[0]).toMatchObject({ name: "DeletePage", input: { pageId: "2" } });
    asked[0]?.answer({
      deletePage: { __typename: "DeletePagePayload", pageId: "2", lesson: lesson("a", ["1", "3"]) },
    });
    await vi.waitFor(() => expect(hiddenItems.get().size).toBe(0));
    expect(shown()).toBe("a:13 b:4");
  });

  test("sends nothing when it is undone", async () => {
    edits.remove(["2"], "Страница удалена");
    runToastAction(toastStore.get().at(-1)?.id ?? 0);
    await settle();
    expect(hiddenItems.get().size).toBe(0);
    expect(asked).toEqual([]);
    expect(shown()).toBe("a:123 b:4");
  });

  test("reverts when the server refuses it", async () => {
    edits.remove(["2"], "Страница удалена");
    dismissToast(toastStore.get().at(-1)?.id ?? 0);
    await settle();
    asked[0]?.refuse(new Error("no"));
    await vi.waitFor(() => expect(hiddenItems.get().size).toBe(0));
    expect(shown()).toBe("a:123 b:4");
  });
});
