import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import type { ReactNode } from "react";
import { createCache } from "../api/cache";
import { renderInRouter } from "../testing/renderInRouter";
import { none } from "./override.fixture";
import type { Override } from "./overrides";

const dates = { availableFrom: null, availableUntil: null, dueAt: null, prerequisites: [] };
const course = {
  __typename: "Course",
  id: "c",
  title: "Основы",
  startsAt: null,
  endsAt: null,
  enrollUntil: null,
  timeZone: "UTC",
  hideLockedTitles: false,
  sequential: false,
  modules: [
    {
      __typename: "Module",
      id: "m",
      title: "Модуль",
      ...dates,
      lessons: [
        {
          __typename: "Lesson",
          id: "l",
          title: "Первые шаги",
          ...dates,
          dueAt: "2090-12-01T23:59:00Z",
          pages: [
            {
              __typename: "Page",
              id: "q",
              title: "Проверьте себя",
              kind: "QUIZ",
              ...dates,
              lateUntil: null,
              latePenaltyPerDay: null,
              latePenaltyMax: null,
            },
          ],
        },
      ],
    },
  ],
};
export const group = { __typename: "Group", id: "g", title: "10-А" };

const end = { __typename: "PartEnd", moduleId: null, pageId: null, availableUntil: "2090-12-05T10:00:00Z" };
const ends = [
  { ...end, lessonId: null },
  { ...end, lessonId: "l" },
];

/** The server of the tests. */
export const server = {
  overrides: [] as Override[],
  /** The operations that fail. */
  failing: new Set<string>(),
  saved: [] as Record<string, unknown>[],
  /** The override that another user has stored in the meantime; undefined without a conflict. */
  others: undefined as Override | null | undefined,
  /** The dates whose effect was requested. */
  asked: [] as unknown[],
  /** Whether the lesson and the course end before the typed deadline. */
  isClosing: false,
  /** Parts that end before the typed deadline as well, with the ids of their parts. */
  alsoClosing: [] as object[],
  /** What still ends earlier. */
  earlierParts: [] as object[],
  earlierStudents: [] as object[],
  /** The parts whose overrides another user has changed when several are set. */
  othersTogether: [] as object[],
};

export function resetServer() {
  Object.assign(server, {
    overrides: [],
    failing: new Set(),
    saved: [],
    others: undefined,
    asked: [],
    isClosing: false,
    alsoClosing: [],
    othersTogether: [],
    earlierParts: [],
    earlierStudents: [],
  });
}

function answer(name: string | undefined, variables: Record<string, unknown>): object | undefined {
  const user = { __typename: "User", id: "u", fullName: "Анна", email: "anna@example.com" };
  switch (name) {
    case "CourseDates":
      return { course };
    case "CourseOverrides": {
      const pageInfo = { __typename: "PageInfo", endCursor: null, hasNextPage: false };
      return {
        overrides: {
          __typename: "Overrides",
          totalCount: server.overrides.length,
          pageInfo,
          nodes: server.overrides,
        },
      };
    }
    case "OverrideStudentGroup":
      return {
        enrollment: { __typename: "StudentProgress", student: { __typename: "Student", id: "s", group } },
      };
    case "OverrideTimes": {
      const times = (dueAt: string | null) => ({
        __typename: "PartTimes",
        availableFrom: null,
        availableUntil: null,
        dueAt,
        lateUntil: null,
        isLateEndless: false,
      });
      const { limits } = variables.of as { limits?: { dueAt?: string | null } };
      server.asked.push(limits);
      const typed = limits?.dueAt;
      const result = times(
        typed === undefined
          ? "2090-12-01T23:59:00Z"
          : typed && `${typed}${typed.includes("T") ? "" : "T23:59"}:00Z`,
      );
      return {
        overrideTimes: {
          __typename: "OverrideTimes",
          everyone: times("2090-12-01T23:59:00Z"),
          group: times("2090-12-01T23:59:00Z"),
          result,
          earlierParts: {
            __typename: "EarlierParts",
            totalCount: server.earlierParts.length,
            nodes: server.earlierParts,
          },
          earlierStudents: {
            __typename: "EarlierStudents",
            totalCount: server.earlierStudents.length,
            nodes: server.earlierStudents.slice(0, 20),
          },
          deadline: typed ? result.dueAt : null,
          earlierEnds:
            typed && server.isClosing
              ? [...ends, ...server.alsoClosing.map((at) => ({ ...end, lessonId: null, ...at }))]
              : [],
        },
      };
    }
    case "SetOverrides": {
      server.saved.push(variables.input as Record<string, unknown>);
      const entries = (variables.input as { overrides: Partial<Override>[] }).overrides;
      const changed = server.othersTogether;
      server.othersTogether = [];
      if (changed.length > 0) {
        const conflict = {
          __typename: "OverridesConflict",
          message: "Это исключение уже изменил кто-то другой",
          changed,
        };
        return { setOverrides: { __typename: "SetOverridesPayload", scheduleOverrides: null, conflict } };
      }
      const stored = entries.map((entry, at) => ({ ...none, ...entry, expected: undefined, id: `of ${at}` }));
      return {
        setOverrides: { __typename: "SetOverridesPayload", scheduleOverrides: stored, conflict: null },
      };
    }
    case "QuizLimit":
      return { page: { __typename: "Page", id: "q", quiz: { __typename: "Quiz", maxAttempts: 2 } } };
    case "CourseGroups":
      return { course: { __typename: "Course", id: "c", groups: [] } };
    case "OverrideStudents": {
      const nodes = [{ __typename: "Student", id: "s", user }];
      return {
        course: {
          __typename: "Course",
          id: "c",
          students: { __typename: "Students", totalCount: 1, nodes },
        },
      };
    }
    case "DeleteOverride":
      server.saved.push(variables.input as Record<string, unknown>);
      return {
        deleteOverride: { __typename: "DeletedOverride", overrideId: "new", conflict: null },
      };
    case "SetOverride": {
      server.saved.push(variables.input as Record<string, unknown>);
      const conflict = server.others !== undefined && {
        __typename: "OverrideConflict",
        message: "Это исключение уже изменил кто-то другой",
        scheduleOverride: server.others,
      };
      server.others = undefined;
      return {
        setOverride: {
          __typename: "SetOverride",
          scheduleOverride: conflict ? null : { ...none, id: "new", pageId: "q", extraAttempts: 1 },
          conflict: conflict || null,
        },
      };
    }
  }
  return undefined;
}

/** Renders with a server that fails the operations in `server.failing`. */
export function show(ui: ReactNode) {
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        if (server.failing.has(operationName ?? "")) return observer.error(new Error("Refused"));
        const data = answer(operationName, variables);
        if (!data) return;
        observer.next({ data });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  return renderInRouter(<ApolloProvider client={client}>{ui}</ApolloProvider>);
}
