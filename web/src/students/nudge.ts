import type { ApolloClient } from "@apollo/client";
import type { NudgeCandidatesQueryVariables } from "./Nudge.generated";
import { NudgeCandidatesDocument, NudgeStudentsDocument } from "./Nudge.generated";

/** A student who may be nudged. */
export interface Candidate {
  id: string;
  name: string;
  /** Null if never. */
  lastNudgedAt: string | null;
}

const DAY_MS = 86_400_000;
/** The server takes this many in one request. */
const MOST = 1000;

export const candidateOf = ({
  id,
  user,
  lastNudgedAt,
}: {
  id: string;
  user: { fullName: string | null; email: string };
  lastNudgedAt: string | null;
}): Candidate => ({ id, name: user.fullName || user.email, lastNudgedAt });

/** Whether a student was nudged within the last 24 hours, and so cannot be nudged now. */
export const isRecent = ({ lastNudgedAt }: Pick<Candidate, "lastNudgedAt">, now: Date): boolean =>
  lastNudgedAt !== null && now.getTime() - Date.parse(lastNudgedAt) < DAY_MS;

/** Loads all students who match a filter. */
export async function loadCandidates(
  client: ApolloClient,
  variables: NudgeCandidatesQueryVariables,
): Promise<Candidate[]> {
  const all: Candidate[] = [];
  for (let after: string | null = null; ; ) {
    const { data, error }: Awaited<ReturnType<typeof ask>> = await ask(client, { ...variables, after });
    if (!data?.course.students) throw error ?? new Error("no students");
    const { nodes, pageInfo } = data.course.students;
    all.push(...nodes.map(candidateOf));
    if (!pageInfo.hasNextPage) return all;
    after = pageInfo.endCursor;
  }
}

const ask = (client: ApolloClient, variables: NudgeCandidatesQueryVariables) =>
  client.query({ query: NudgeCandidatesDocument, variables, fetchPolicy: "no-cache" });

/** Nudges students; returns how many were nudged and who was skipped. */
export async function nudge(
  client: ApolloClient,
  courseId: string,
  enrollmentIds: readonly string[],
  text: string,
): Promise<{ nudged: number; skipped: ReadonlySet<string> }> {
  let nudged = 0;
  const skipped = new Set<string>();
  for (let at = 0; at < enrollmentIds.length; at += MOST) {
    const { data } = await client.mutate({
      mutation: NudgeStudentsDocument,
      variables: { input: { courseId, enrollmentIds: enrollmentIds.slice(at, at + MOST), text } },
    });
    nudged += data?.nudgeStudents.nudged.length ?? 0;
    for (const id of data?.nudgeStudents.skipped ?? []) skipped.add(id);
  }
  return { nudged, skipped };
}
