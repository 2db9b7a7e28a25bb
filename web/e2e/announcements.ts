import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, enroll, signUp } from "./api.ts";
import { type Classroom, createClassroom } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { paragraph } from "./page-editor.ts";

/** A course with announcements and three learners. */
export interface Announced extends Classroom {
  others: [Account, Account];
}

interface NewAnnouncement {
  title: string;
  text?: string;
  content?: unknown;
  groupId?: string;
  publishAt?: string;
  isPinned?: boolean;
}

export async function createAnnounced(server: Server): Promise<Announced> {
  const classroom = await createClassroom(server);
  const boris = await signUp(server, "Борисов Борис Борисович");
  const olga = await signUp(server, "Ёлкина Ольга Петровна");
  for (const account of [boris, olga]) await enroll(server, account, classroom.shareCode);
  return { ...classroom, others: [boris, olga] };
}

/** Creates an announcement as the owner of the course and returns its ID. */
export async function announce(
  { server, owner, courseId }: Classroom,
  { text = "Подробности на занятии.", content, ...announcement }: NewAnnouncement,
): Promise<string> {
  const query = `mutation ($input: CreateAnnouncementInput!) {
    createAnnouncement(input: $input) { announcement { id } } }`;
  const input = {
    courseId,
    content: content ?? { type: "doc", content: [paragraph(text)] },
    ...announcement,
  };
  return (await graphql(server.url, owner.token, query, { input })).createAnnouncement.announcement.id;
}

/** Marks announcements as read by a learner. */
export async function readAnnouncements(
  { server, courseId }: Classroom,
  learner: Account,
  ...announcementIds: string[]
): Promise<void> {
  const query = `mutation ($input: MarkAnnouncementsReadInput!) {
    markAnnouncementsRead(input: $input) { unread } }`;
  await graphql(server.url, learner.token, query, { input: { courseId, announcementIds } });
}

/** Nudges learners as the owner of the course. */
export async function nudge(
  { server, owner, courseId }: Classroom,
  names: string[],
  text: string,
): Promise<void> {
  const list = "query ($id: ID!) { course(id: $id) { students { nodes { id user { fullName } } } } }";
  const { course } = await graphql(server.url, owner.token, list, { id: courseId });
  const enrollmentIds = course.students.nodes
    .filter(({ user }: { user: { fullName: string } }) => names.includes(user.fullName))
    .map(({ id }: { id: string }) => id);
  const query = "mutation ($input: NudgeStudentsInput!) { nudgeStudents(input: $input) { nudged } }";
  const { nudgeStudents } = await graphql(server.url, owner.token, query, {
    input: { courseId, enrollmentIds, text },
  });
  expect(nudgeStudents.nudged).toHaveLength(names.length);
}
