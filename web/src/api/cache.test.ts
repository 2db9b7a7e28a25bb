import { gql } from "@apollo/client";
import { buildSchema, isAbstractType, Kind } from "graphql";
import { beforeEach, describe, expect, test } from "vitest";
import {
  CourseTree_CourseFragmentDoc,
  PageCourseDocument,
  type PageCourseQuery,
} from "../course/CourseTree.generated";
import { MarkPageVisitedDocument, type MarkPageVisitedMutation } from "../reading/MarkPageVisited.generated";
import { aLesson } from "../testing/aLesson";
import { openTimes } from "../testing/openTimes";
import { createCache, rememberCourseOfPages } from "./cache";

const page = (id: string) => ({
  __typename: "Page",
  id,
  title: null,
  number: 1,
  kind: "CONTENT" as const,
  published: true,
  isVisited: false,
  isCompleted: false,
  timeline: openTimes,
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
              lessons: [aLesson("l", [page("a"), page("b")], { title: "Урок", isCompleted: false })],
            },
          ],
        },
      },
      // Writes the complete, unmasked result, as a network response does.
    } as unknown as PageCourseQuery,
  });
});

describe("a page of a course whose tree is cached", () => {
  test("finds its course without another request", () => {
    expect(readByPage("b")).toBeNull();
    rememberCourseOfPages("c", ["a", "b"]);
    expect(readByPage("b")).toMatchObject({ page: { id: "b", course: { id: "c" } } });
  });

  test("has no course when its tree was never loaded", () => {
    rememberCourseOfPages("c", ["a", "b"]);
    expect(readByPage("z")).toBeNull();
  });
});

test("the result of a visit updates the tree, the lesson marker and the progress ring", () => {
  cache.writeQuery({
    query: MarkPageVisitedDocument,
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
    } as MarkPageVisitedMutation,
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

describe("types whose fields depend on their parent", () => {
  test("are stored per parent: an owner's email shown in one course stays after another course hides it", () => {
    const COURSE = gql`
      query Owner($id: ID!) {
        course(id: $id) {
          id
          owner {
            id
            email
          }
        }
      }
    `;
    const arrives = (id: string, email: string | null) =>
      cache.writeQuery({
        query: COURSE,
        variables: { id },
        data: { course: { __typename: "Course", id, owner: { __typename: "CourseOwner", id: "u", email } } },
      });
    arrives("mine", "u@example.com");
    arrives("other", null);
    const owner = cache.readQuery<{ course: { owner: { email: string | null } } }>({
      query: COURSE,
      variables: { id: "mine" },
    });
    expect(owner?.course.owner.email).toBe("u@example.com");
  });
});

test("the cache knows every interface and union of the schema", async () => {
  const { readFile } = await import("node:fs/promises");
  const schema = buildSchema(await readFile("../schema.graphql", "utf8"));
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isAbstractType(type)) continue;
    for (const { name } of schema.getPossibleTypes(type)) {
      const matched = cache.policies.fragmentMatches(
        {
          kind: Kind.INLINE_FRAGMENT,
          typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type.name } },
          selectionSet: { kind: Kind.SELECTION_SET, selections: [] },
        },
        name,
      );
      expect(matched, `${name} is a ${type.name}`).toBe(true);
    }
  }
});
