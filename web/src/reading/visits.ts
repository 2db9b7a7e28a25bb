import type { ApolloClient } from "@apollo/client";
import { createStore, useSelector } from "@tanstack/react-store";
import { ApiError } from "../api/apiError";
import type { PageKind } from "../api/schema.generated";
import { onSessionEnd } from "../api/session";
import { NextPageFragmentDoc } from "../course/NextPage.generated";
import { afterVisit } from "./afterVisit";
import {
  CourseStateFragmentDoc,
  MarkPageVisitedDocument,
  type MarkPageVisitedMutation,
} from "./MarkPageVisited.generated";

export interface Visit {
  pageId: string;
  courseId: string;
  /** The version of the text that was read. */
  version: number;
}

/** Ids of pages whose visit is being sent. */
const sending = new Set<string>();
/** Unanswered visits by page id, which are sent again when the network is back and dropped with the session. */
const unsent = createStore<ReadonlyMap<string, () => void>>(new Map());

onSessionEnd(() => unsent.setState(() => new Map()));

/**
 * Marks a page visited. The tree and the progress indicators update at once; when the server cannot be reached they revert and the visit
 * waits for the network. Idempotent.
 */
export async function recordVisit(client: ApolloClient, visit: Visit): Promise<void> {
  if (sending.has(visit.pageId)) return;
  sending.add(visit.pageId);
  try {
    const { data } = await client.mutate({
      mutation: MarkPageVisitedDocument,
      variables: { input: { pageId: visit.pageId, version: visit.version } },
      // The visit arrives although the reader closes the window at once.
      context: { fetchOptions: { keepalive: true } },
      optimisticResponse: (_, { IGNORE }) => predictedAnswer(client, visit) ?? IGNORE,
    });
    unsent.setState((visits) => new Map([...visits].filter(([pageId]) => pageId !== visit.pageId)));
    if (data?.markPageVisited.lesson.isCompleted)
      import("../course/unlock")
        .then((unlock) => unlock.refreshLocked(client, visit.courseId))
        .catch(() => {});
    // The server is reachable, so the other visits can be sent too.
    resend();
  } catch (failure) {
    // A refusal is final; an unanswered call is retried.
    const error = ApiError.from(failure);
    if (error.isUnreachable || error.status >= 500) wait(client, visit);
  } finally {
    sending.delete(visit.pageId);
  }
}

/** Whether the page's visit waits for the network. */
export function useIsVisitUnsent(pageId: string): boolean {
  return useSelector(unsent, (visits) => visits.has(pageId));
}

function wait(client: ApolloClient, visit: Visit) {
  unsent.setState((visits) => new Map(visits).set(visit.pageId, () => void recordVisit(client, visit)));
  // Adding the same listener again has no effect.
  window.addEventListener("online", resend);
}

function resend() {
  for (const send of [...unsent.get().values()]) send();
}

/** Predicts the server's answer from the cache; null when the course's tree is not loaded. */
function predictedAnswer(client: ApolloClient, { pageId, courseId }: Visit): MarkPageVisitedMutation | null {
  const course = client.cache.readFragment({
    fragment: CourseStateFragmentDoc,
    id: client.cache.identify({ __typename: "Course", id: courseId }),
  });
  const outcome = course && afterVisit(course, pageId, new Date());
  if (!course || !outcome) return null;
  const { page, lesson, progress, nextPage } = outcome;
  const answer = {
    __typename: "Mutation",
    markPageVisited: {
      __typename: "MarkPageVisitedPayload",
      page: { __typename: "Page", id: page.id, isVisited: page.isVisited, isCompleted: page.isCompleted },
      lesson: { __typename: "Lesson", ...lesson },
      course: {
        __typename: "Course",
        id: course.id,
        progress: { __typename: "Progress", ...progress },
        enrollment: course.enrollment && {
          __typename: "Enrollment",
          id: course.enrollment.id,
          completedAt: course.enrollment.completedAt ?? progress.completedAt,
          nextPage: nextPage && {
            __typename: "Page",
            id: nextPage.id,
            title: nextPage.title,
            number: nextPage.number,
            reason: reasonOf(client, nextPage),
            // The server tells when it opens.
            timeline: { __typename: "Timeline", state: nextPage.timeline.state, opensAt: null },
          },
        },
      },
    },
  };
  return answer;
}

/** The reason why a page is not completed: the cached one, else the usual one of its kind until the server answers. */
function reasonOf(client: ApolloClient, page: { id: string; kind: PageKind }) {
  const known = client.cache.readFragment({
    fragment: NextPageFragmentDoc,
    id: client.cache.identify({ __typename: "Page", id: page.id }),
  })?.reason;
  if (known) return { ...known, __typename: "Reason" };
  const kind = page.kind === "CONTENT" ? ("NOT_VISITED" as const) : ("QUIZ_NOT_PASSED" as const);
  return {
    __typename: "Reason",
    kind,
    bestPercent: null,
    attemptsLeft: null,
    isWaiting: false,
    isReturned: false,
  };
}
