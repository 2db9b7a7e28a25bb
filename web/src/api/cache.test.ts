import { beforeEach, describe, expect, test } from "vitest";
import { CourseTree_CourseFragmentDoc, PageCourseDocument } from "../course/CourseTree.generated";
import { MarkPageVisitedDocument } from "../reading/MarkPageVisited.generated";
import { createCache, rememberCourseOfPages } from "./cache";

const page = (id: string) => ({
  __typename: "Page",
  id,
  title: null,
  number: 1,
  kind: "CONTENT" as const,
  isVisited: false,
  isCompleted: false,
});
const progress = {
  __typename: "Progress",
  percent: 0,
  pagesDone: 0,
  pagesTotal: 2,
  lessonsDone: 0,
  lessonsTotal: 1,
  completedAt: null,
};

let cache: ReturnType<typeof createCache>;
const readByPage = (id: string) => cache.readQuery({ query: PageCourseDocument, variables: { id } });
const readTree = () =>
  cache.readFragment({
    id: "Course:c",
    fragment: CourseTree_CourseFragmentDoc,
    fragmentName: "CourseTree_course",
  });

beforeEach(() => {
  cache = createCache();
  cache.writeQuery({
    query: PageCourseDocument,
    variables: { id: "a" },
    data: {
      page: {
        __typename: "Page",
        id: "a",
        course: {
          __typename: "Course",
          id: "c",
          title: "Курс",
          progress,
          enrollment: { __typename: "Enrollment", id: "e", completedAt: null },
          modules: [
            {
              __typename: "Module",
              id: "m",
              title: "Модуль",
              description: null,
              avatarUrl: null,
              lessons: [
                {
                  __typename: "Lesson",
                  id: "l",
                  title: "Урок",
                  isCompleted: false,
                  pages: [page("a"), page("b")],
                },
              ],
            },
          ],
        },
      },
      // Written as the network would bring it: whole, with the fields of the fragment unmasked.
    } as never,
  });
});

describe("a page of a course whose tree is there", () => {
  test("finds its course without another question", () => {
    expect(readByPage("b")).toBeNull();
    rememberCourseOfPages("c", ["a", "b"]);
    expect(readByPage("b")).toMatchObject({ page: { id: "b", course: { id: "c" } } });
  });

  test("is not invented when nobody has seen it", () => {
    rememberCourseOfPages("c", ["a", "b"]);
    expect(readByPage("z")).toBeNull();
  });
});

test("the answer to a visit changes the tree, the marker and the ring where they are", () => {
  cache.writeQuery({
    query: MarkPageVisitedDocument as never,
    data: {
      markPageVisited: {
        __typename: "MarkPageVisitedPayload",
        page: { __typename: "Page", id: "b", isVisited: true, isCompleted: true },
        lesson: { __typename: "Lesson", id: "l", isCompleted: true },
        course: {
          __typename: "Course",
          id: "c",
          progress: { ...progress, percent: 50, pagesDone: 1 },
          enrollment: { __typename: "Enrollment", id: "e", completedAt: null, nextPage: null },
        },
      },
    } as never,
  });
  const tree = readTree();
  expect(tree?.progress.percent).toBe(50);
  const lesson = tree?.modules[0]?.lessons[0];
  expect(lesson?.isCompleted).toBe(true);
  expect(lesson?.pages.map((one) => [one.id, one.isVisited])).toEqual([
    ["a", false],
    ["b", true],
  ]);
  expect(lesson?.title).toBe("Урок");
});
