import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, enroll, generateShareCode, signUp } from "./api.ts";
import { type CourseWithPages, createCourseWithPages, paragraph } from "./page-editor.ts";

/** A published page of four paragraphs, its owner and two learners. */
export interface Questioned extends CourseWithPages {
  server: Server;
  owner: Account;
  learner: Account;
  other: Account;
}

const PARAGRAPHS = [
  "Переменная связывает имя со значением.",
  "Значение по умолчанию нельзя изменить.",
  "Слово mut делает переменную изменяемой.",
  "Затенение создаёт новую переменную с прежним именем.",
];

export async function createQuestioned(server: Server, content?: unknown[]): Promise<Questioned> {
  const owner = await signUp(server, "Соколова Вера Павловна");
  const text = { type: "doc", content: content ?? PARAGRAPHS.map((words) => paragraph(words)) };
  const course = await createCourseWithPages(server, owner.token, text);
  const publish = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  for (const pageId of [course.pageId, course.otherPageId])
    await graphql(server.url, owner.token, publish, { input: { pageId, published: true } });
  const shareCode = await generateShareCode(server, owner, course.courseId);
  const learner = await signUp(server, "Ёлкина Ольга Петровна");
  const other = await signUp(server, "Борисов Борис Борисович");
  for (const account of [learner, other]) await enroll(server, account, shareCode);
  return { ...course, server, owner, learner, other };
}

const bodyOf = (text: string) => ({ type: "doc", content: [paragraph(text)] });

interface Asked {
  /** The block that it is about. */
  block?: number;
  toTeachers?: boolean;
  isAnonymous?: boolean;
}

/** Asks a question over the API and returns the ID of its discussion. */
export async function askQuestion(
  { server, pageId }: Pick<Questioned, "server" | "pageId">,
  by: Account,
  text: string,
  { block, ...choices }: Asked = {},
): Promise<string> {
  const { page } = await graphql(server.url, by.token, "query ($id: ID!) { page(id: $id) { version } }", {
    id: pageId,
  });
  const query = `mutation ($input: StartDiscussionInput!) {
    startDiscussion(input: $input) { discussion { id } } }`;
  const place = block === undefined ? {} : { block, version: page.version };
  const input = { pageId, body: bodyOf(text), ...place, ...choices };
  return (await graphql(server.url, by.token, query, { input })).startDiscussion.discussion.id;
}

/** Answers a question over the API and returns the ID of the answer. */
export async function answerQuestion(
  { server }: Questioned,
  by: Account,
  discussionId: string,
  text: string,
): Promise<string> {
  const query = `mutation ($input: ReplyDiscussionInput!) {
    replyDiscussion(input: $input) { post { id } } }`;
  const input = { discussionId, body: bodyOf(text) };
  const { replyDiscussion } = await graphql(server.url, by.token, query, { input });
  return replyDiscussion.post.id;
}

/** Answers a question many times over the API, in order, and returns the IDs of the answers. */
export async function answerOften(
  { server }: Questioned,
  by: Account,
  discussionId: string,
  texts: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < texts.length; at += 20) {
    const part = texts.slice(at, at + 20);
    const names = part.map((_, number) => `i${number}`);
    const query = `mutation (${names.map((name) => `$${name}: ReplyDiscussionInput!`).join(", ")}) {
      ${names.map((name) => `${name}: replyDiscussion(input: $${name}) { post { id } }`).join("\n")} }`;
    const inputs = part.map((text, number) => [`i${number}`, { discussionId, body: bodyOf(text) }]);
    const data = await graphql(server.url, by.token, query, Object.fromEntries(inputs));
    ids.push(...names.map((name) => data[name].post.id as string));
  }
  return ids;
}

/** Changes the settings of questions of the course as its owner. */
export async function setQuestions({ server, owner, courseId }: Questioned, settings: object): Promise<void> {
  const query = "mutation ($input: SetDiscussionsInput!) { setDiscussions(input: $input) { course { id } } }";
  const input = { courseId, isOn: true, allowsAnonymous: false, isPerGroup: false, words: [], ...settings };
  await graphql(server.url, owner.token, query, { input });
}
