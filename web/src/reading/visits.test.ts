// @vitest-environment happy-dom
import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { beforeEach, describe, expect, it } from "vitest";
import { createCache } from "../api/cache";
import { notVisited } from "../testing/notVisited";
import { openTimes } from "../testing/openTimes";
import { type CourseStateFragment, CourseStateFragmentDoc } from "./MarkPageVisited.generated";
import { recordVisit } from "./visits";

const VISIT = { pageId: "p1", courseId: "c1", version: 3 };
const progress = {
  __typename: "Progress",
  percent: 0,
  pagesDone: 0,
  pagesTotal: 2,
  lessonsDone: 0,
  lessonsTotal: 2,
  completedAt: null,
};

function page(id: string) {
  return {
    __typename: "Page",
    id,
    title: id,
    number: 1,
    kind: "CONTENT",
    isVisited: false,
    isCompleted: false,
    timeline: openTimes,
  };
}

function lesson(id: string, pageId: string) {
  return { __typename: "Lesson", id, isCompleted: false, pages: [page(pageId)] };
}

const ANSWER = {
  markPageVisited: {
    __typename: "MarkPageVisitedPayload",
    page: { __typename: "Page", id: "p1", isVisited: true, isCompleted: true },
    lesson: { __typename: "Lesson", id: "l1", isCompleted: true },
    course: {
      __typename: "Course",
      id: "c1",
      progress: { ...progress, percent: 50, pagesDone: 1, lessonsDone: 1 },
      enrollment: {
        __typename: "Enrollment",
        id: "e1",
        completedAt: null,
        nextPage: {
          __typename: "Page",
          id: "p2",
          title: "p2",
          number: 1,
          reason: notVisited,
          timeline: openTimes,
        },
      },
    },
  },
};

/** A client whose calls stay pending until the test answers them. */
function clientWithCourse() {
  const calls: { answer: () => void; fail: (error: Error) => void }[] = [];
  const link = new ApolloLink(
    () =>
      new Observable((observer) => {
        calls.push({
          answer: () => {
            observer.next({ data: ANSWER });
            observer.complete();
          },
          fail: (error) => observer.error(error),
        });
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  client.cache.writeFragment({
    id: "Course:c1",
    fragment: CourseStateFragmentDoc,
    data: {
      __typename: "Course",
      id: "c1",
      modules: [{ __typename: "Module", id: "m1", lessons: [lesson("l1", "p1"), lesson("l2", "p2")] }],
      progress,
      enrollment: { __typename: "Enrollment", id: "e1", completedAt: null },
    } as unknown as CourseStateFragment,
  });
  const state = () => {
    const course = client.cache.readFragment({
      id: "Course:c1",
      fragment: CourseStateFragmentDoc,
      optimistic: true,
    });
    const first = course?.modules[0]?.lessons[0];
    return [first?.pages[0]?.isVisited, first?.isCompleted, course?.progress.percent];
  };
  return { client, calls, state };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("recordVisit", () => {
  let course: ReturnType<typeof clientWithCourse>;
  beforeEach(() => {
    course = clientWithCourse();
  });

  it("updates the page, its lesson and the course's percentage before the server answers", async () => {
    const done = recordVisit(course.client, VISIT);
    expect(course.state()).toEqual([true, true, 50]);
    await settled();
    course.calls[0]?.answer();
    await done;
    expect(course.state()).toEqual([true, true, 50]);
  });

  it("sends one call for a page whose call is in progress", async () => {
    const done = recordVisit(course.client, VISIT);
    await recordVisit(course.client, VISIT);
    await settled();
    expect(course.calls).toHaveLength(1);
    course.calls[0]?.answer();
    await done;
  });

  it("reverts when the server is unreachable, and sends it again when the network returns", async () => {
    const done = recordVisit(course.client, VISIT);
    await settled();
    course.calls[0]?.fail(new TypeError("Failed to fetch"));
    await done;
    expect(course.state()).toEqual([false, false, 0]);

    for (const failure of ["once", "twice"]) {
      window.dispatchEvent(new Event("online"));
      await settled();
      expect(course.calls.length, failure).toBe(failure === "once" ? 2 : 3);
      if (failure === "once") course.calls[1]?.fail(new TypeError("Failed to fetch"));
      await settled();
    }
    course.calls[2]?.answer();
    await settled();
    expect(course.state()).toEqual([true, true, 50]);

    window.dispatchEvent(new Event("online"));
    await settled();
    expect(course.calls).toHaveLength(3);
  });

  it("does not retry a refused visit", async () => {
    const done = recordVisit(course.client, VISIT);
    await settled();
    course.calls[0]?.fail(
      new CombinedGraphQLErrors({ errors: [{ message: "Не найдено", extensions: { code: "NOT_FOUND" } }] }),
    );
    await done;
    expect(course.state()).toEqual([false, false, 0]);
    window.dispatchEvent(new Event("online"));
    await settled();
    expect(course.calls).toHaveLength(1);
  });

  it("waits for the answer when the tree is not loaded", async () => {
    course.client.cache.evict({ id: "Course:c1", fieldName: "modules" });
    const done = recordVisit(course.client, VISIT);
    await settled();
    course.calls[0]?.answer();
    await done;
    expect(course.client.cache.extract()).toMatchObject({ "Page:p1": { isVisited: true } });
  });
});
