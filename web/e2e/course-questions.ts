import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, enroll, joinTeam, signUp } from "./api.ts";
import { type Classroom, createClassroom, oneQuestion } from "./classroom.ts";
import { paragraph } from "./page-editor.ts";

/** A course with a teacher and two learners, who ask questions under its pages. */
export interface Asking extends Classroom {
  teacher: Account;
  other: Account;
}

interface NewQuestion {
  text: string;
  /** The index of the page in `pages`. */
  page?: number;
  toTeachers?: boolean;
  by?: Account;
}

export async function createAsking(server: Server): Promise<Asking> {
  const classroom = await createClassroom(server, oneQuestion);
  const teacher = await signUp(server, "Орлов Пётр Ильич");
  await joinTeam(server, classroom.owner, teacher, classroom.courseId, "teacher");
  const other = await signUp(server, "Борисов Борис Борисович");
  await enroll(server, other, classroom.shareCode);
  return { ...classroom, teacher, other };
}

const bodyOf = (text: string) => ({ type: "doc", content: [paragraph(text)] });

/** A mutation of a discussion; returns what it selects. */
const call = (
  asking: Asking,
  account: Account,
  field: string,
  type: string,
  input: object,
  selected = "discussion",
) =>
  graphql(
    asking.server.url,
    account.token,
    `mutation ($input: ${type}!) { ${field}(input: $input) { ${selected} { id } } }`,
    { input },
  ).then((data) => data[field][selected] as { id: string });

/** Asks a question, as the learner unless `by` is given, and returns its ID. */
export async function ask(asking: Asking, question: NewQuestion): Promise<string> {
  const { text, page = 0, toTeachers = false, by = asking.learner } = question;
  const input = { pageId: asking.pages[page], body: bodyOf(text), toTeachers };
  return (await call(asking, by, "startDiscussion", "StartDiscussionInput", input)).id;
}

/** Answers a question and returns the ID of the answer. */
export async function reply(asking: Asking, by: Account, discussionId: string, text: string) {
  const input = { discussionId, body: bodyOf(text) };
  return (await call(asking, by, "replyDiscussion", "ReplyDiscussionInput", input, "post")).id;
}

/** Changes a question: marks it as solved, pins or closes it. */
export const change = (asking: Asking, by: Account, discussionId: string, to: object) =>
  call(asking, by, "changeDiscussion", "ChangeDiscussionInput", { discussionId, ...to });

/** Reports the question itself. */
export async function report(asking: Asking, by: Account, discussionId: string, reason: string) {
  const query = "query ($id: ID!) { discussion(id: $id) { question { id } } }";
  const { discussion } = await graphql(asking.server.url, by.token, query, { id: discussionId });
  await call(asking, by, "reportPost", "ReportPostInput", { postId: discussion.question.id, reason }, "post");
}

/** A question and its answers as the owner reads them. */
export async function storedQuestion({ server, owner }: Asking, id: string) {
  const query = `query ($id: ID!) { discussion(id: $id) {
    waitingSince resolvedAt answers { nodes { byStaff body author { fullName } } } } }`;
  return (await graphql(server.url, owner.token, query, { id })).discussion;
}

/** The settings of questions as the owner reads them. */
export async function storedSettings({ server, owner, courseId }: Asking) {
  const query = `query ($id: ID!) { course(id: $id) {
    discussionSettings { isOn allowsAnonymous isPerGroup words } } }`;
  return (await graphql(server.url, owner.token, query, { id: courseId })).course.discussionSettings;
}

/** Changes the settings of questions, as a colleague does in another session. */
export async function setSettings({ server, courseId }: Asking, by: Account, to: object): Promise<void> {
  const query = `mutation ($input: SetDiscussionsInput!) { setDiscussions(input: $input) { course { id } } }`;
  await graphql(server.url, by.token, query, { input: { courseId, ...to } });
}
