import type { ApolloClient } from "@apollo/client";
import { CourseAnnouncementsDocument } from "../announcements/CourseAnnouncements.generated";
import { startRequest } from "../api/firstData";
import { CourseTreeDocument } from "./CourseScreen.generated";

/**
 * Starts to load a course, its announcements and what shows the certificate, side by side. None is awaited. The certificate itself is read when the
 * course says that the user is enrolled: a refusal (403) ends the session of the app.
 */
export function startCourse(client: ApolloClient, id: string): void {
  // The outline waits for the certificate, which waits for this file.
  startRequest(import("../certificates/MyCertificate"));
  for (const query of [CourseTreeDocument, CourseAnnouncementsDocument])
    startRequest(client.query({ query, variables: { id }, fetchPolicy: "network-only" }));
}
