import type { ApolloClient } from "@apollo/client";
import { CourseAnnouncementsDocument } from "../announcements/CourseAnnouncements.generated";
import { startRequest } from "../api/firstData";
import { MyCertificateDocument } from "../certificates/MyCertificate.generated";
import { CourseTreeDocument } from "./CourseScreen.generated";

/** Starts to load a course, its announcements and what shows the certificate, side by side. None is awaited; staff are refused a certificate. */
export function startCourse(client: ApolloClient, id: string): void {
  // The outline waits for the certificate, which waits for this file.
  startRequest(import("../certificates/MyCertificate"));
  const options = { fetchPolicy: "network-only" } as const;
  for (const query of [CourseTreeDocument, CourseAnnouncementsDocument])
    startRequest(client.query({ query, variables: { id }, ...options }));
  startRequest(client.query({ query: MyCertificateDocument, variables: { courseId: id }, ...options }));
}
