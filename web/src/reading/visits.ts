import type { ApolloClient } from "@apollo/client";
import { useSyncExternalStore } from "react";
import { ApiError } from "../api/apiError";
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
}

/** On their way to the server, by page. */
const sending = new Set<string>();
/** Visits no answer came for. They are sent again when the network is back, and forgotten with the session. */
const unsent = new Map<string, () => void>();
const listeners = new Set<() => void>();

onSessionEnd(() => {
  unsent.clear();
  changed();
});

/**
 * Marks a page visited. The tree, the lesson's marker and the rings change at once; when the server cannot be reached they
 * change back and the visit waits for the network. Calling it again for the same page does nothing twice.
 */
export async function recordVisit(client: ApolloClient, visit: Visit): Promise<void> {
  if (sending.has(visit.pageId)) return;
  sending.add(visit.pageId);
  try {
    await client.mutate({
      mutation: MarkPageVisitedDocument,
      variables: { input: { pageId: visit.pageId } },
      optimisticResponse: (_, { IGNORE }) => foreseen(client, visit) ?? IGNORE,
    });
    unsent.delete(visit.pageId);
    // An answer came: whatever kept the others from arriving may be over too.
    resend();
  } catch (failure) {
    // A refusal stands; a call that did not arrive is worth another.
    const error = ApiError.from(failure);
    if (error.isUnreachable || error.status >= 500) wait(client, visit);
  } finally {
    sending.delete(visit.pageId);
    changed();
  }
}

/** Whether this page's visit waits for the network. */
export function useIsVisitUnsent(pageId: string): boolean {
  return useSyncExternalStore(subscribe, () => unsent.has(pageId));
}

function wait(client: ApolloClient, visit: Visit) {
  unsent.set(visit.pageId, () => void recordVisit(client, visit));
  // The same listener added again is still one.
  window.addEventListener("online", resend);
}

function resend() {
  for (const send of [...unsent.values()]) send();
}

/** The server's answer as far as the cache can tell; null when the course's tree was not loaded. */
function foreseen(client: ApolloClient, { pageId, courseId }: Visit): MarkPageVisitedMutation | null {
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
          },
        },
      },
    },
  };
  return answer;
}

/** Why a page is not done: as the cache knows it, else what holds of its kind until the server has answered. */
function reasonOf(client: ApolloClient, page: { id: string; kind: "CONTENT" | "QUIZ" }) {
  const known = client.cache.readFragment({
    fragment: NextPageFragmentDoc,
    id: client.cache.identify({ __typename: "Page", id: page.id }),
  })?.reason;
  if (known) return { ...known, __typename: "Reason" };
  const kind = page.kind === "QUIZ" ? ("QUIZ_NOT_PASSED" as const) : ("NOT_VISITED" as const);
  return { __typename: "Reason", kind, bestPercent: null, attemptsLeft: null };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed() {
  for (const listener of listeners) listener();
}
