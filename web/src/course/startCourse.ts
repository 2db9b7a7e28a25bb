import type { ApolloClient } from "@apollo/client";
import { CourseAnnouncementsDocument } from "../announcements/CourseAnnouncements.generated";
import { startRequest } from "../api/firstData";
import { CourseTreeDocument } from "./CourseScreen.generated";

/** Starts to load a course and its announcements, side by side. Neither is awaited. */
export function startCourse(client: ApolloClient, id: string): void {
  for (const query of [CourseTreeDocument, CourseAnnouncementsDocument])
    startRequest(client.query({ query, variables: { id }, fetchPolicy: "network-only" }));
}
