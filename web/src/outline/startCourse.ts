import type { ApolloClient } from "@apollo/client";
import { startRequest } from "../api/firstData";
import { EditCourseDocument } from "./EditCourse.generated";
import { lookOf } from "./look";
import { tabScreens } from "./tabScreens";

/** Starts to load a course and the tab that is opened, side by side. Neither is awaited: the screen shows cached data or its skeleton at once. */
export function startCourse(client: ApolloClient, id: string, search: Record<string, unknown>): void {
  const { tab } = lookOf(search);
  startRequest(client.query({ query: EditCourseDocument, variables: { id }, fetchPolicy: "network-only" }));
  // A failure is ignored here: the screen imports the tab again and shows its own error.
  if (tab !== "contents") tabScreens[tab]().catch(() => undefined);
}
