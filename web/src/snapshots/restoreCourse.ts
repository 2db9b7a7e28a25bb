import type { ApolloClient } from "@apollo/client";
import { EditCourseDocument } from "../outline/EditCourse.generated";
import {
  CourseSnapshotsDocument,
  RestoreSnapshotDocument,
  SnapshotDigestDocument,
} from "./Snapshots.generated";
import type { Snapshot } from "./snapshot";

/** A restored course. */
export interface Restored {
  /** The name of the snapshot from which the course was restored. */
  name: string;
  /** The snapshot of the course before. */
  before: Snapshot;
  /** Identifies what restoring that snapshot would change, so that nothing that came later is undone with it; null if it is not known. */
  digest: string | null;
  /** The pages that stay unpublished, because their quizzes draw more questions than their banks have now. */
  unpublished: readonly string[];
}

/** The fields that the course editor itself shows. It reads them again, and the others are forgotten. */
const SHOWN: Record<string, ReadonlySet<string>> = {
  Course: new Set(["id", "title", "description", "myRole", "shareCode", "studentsCount", "owner", "modules"]),
  Module: new Set(["id", "title", "description", "avatarUrl", "lessons"]),
  Lesson: new Set(["id", "title", "pages"]),
  Page: new Set(["id", "title", "kind", "published"]),
};

/**
 * Restores a course from a snapshot; rejects with a conflict (409) when the course differs from what `digest` stands for. Then the screen
 * shows the restored course.
 */
export async function restoreCourse(
  client: ApolloClient,
  { id, name, digest }: { id: string; name: string; digest: string },
): Promise<Restored> {
  const { data } = await client.mutate({
    mutation: RestoreSnapshotDocument,
    variables: { input: { snapshotId: id, digest } },
  });
  if (!data) throw new Error("no data");
  const { before, unpublishedPageIds: unpublished } = data.restoreSnapshot;
  const undoing = digestOf(client, before.id);
  forgetCourse(client);
  // The course is restored whether it can be read again or not.
  await client
    .refetchQueries({ include: [EditCourseDocument, CourseSnapshotsDocument] })
    .catch(() => undefined);
  return { name, before, digest: await undoing, unpublished };
}

async function digestOf(client: ApolloClient, id: string): Promise<string | null> {
  try {
    const query = { query: SnapshotDigestDocument, variables: { id }, fetchPolicy: "no-cache" } as const;
    return (await client.query(query)).data?.courseSnapshot.changes.digest ?? null;
  } catch {
    return null;
  }
}

/** Removes from the cache what a restored course may have changed: texts, dates, grades and the like. */
function forgetCourse({ cache }: ApolloClient) {
  const stored = cache.extract() as Record<string, { __typename?: string }>;
  cache.batch({
    update: () => {
      for (const [id, { __typename = "" }] of Object.entries(stored)) {
        const shown = SHOWN[__typename];
        if (!shown) continue;
        cache.modify({
          id,
          fields: (value, { fieldName, DELETE }) =>
            fieldName === "__typename" || fieldName === "snapshots" || shown.has(fieldName) ? value : DELETE,
        });
      }
    },
  });
}
