import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, joinTeam, signUp } from "./api.ts";
import { type CourseWithPages, createCourseWithPages, paragraph } from "./page-editor.ts";

/** A page on which a reviewer has started threads. Replies to them notify the reviewer. */
export interface Discussion extends CourseWithPages {
  server: Server;
  owner: Account;
  reviewer: Account;
  threads: string[];
}

export async function createDiscussion(server: Server, count = 1): Promise<Discussion> {
  const owner = await signUp(server, "Соколова Вера Павловна");
  const reviewer = await signUp(server, "Рябов Роман Львович");
  const text = { type: "doc", content: [paragraph("Переменная связывает имя со значением.")] };
  const course = await createCourseWithPages(server, owner.token, text);
  await joinTeam(server, owner, reviewer, course.courseId, "reviewer");
  const threads: string[] = [];
  for (let at = 1; at <= count; at++) {
    const { startThread } = await graphql(
      server.url,
      reviewer.token,
      "mutation ($input: StartThreadInput!) { startThread(input: $input) { thread { id } } }",
      { input: { pageId: course.pageId, text: `Вопрос ${at}: нужен ли здесь пример?` } },
    );
    threads.push(startThread.thread.id);
  }
  return { ...course, server, owner, reviewer, threads };
}

/** Answers a thread as the owner of the course. */
export async function answer({ server, owner }: Discussion, threadId: string, text: string): Promise<void> {
  const add = "mutation ($input: AddCommentInput!) { addComment(input: $input) { thread { id } } }";
  await graphql(server.url, owner.token, add, { input: { threadId, text } });
}
