import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { graphql } from "../../scripts/client.mjs";
import { root, type Server } from "../../scripts/server.mjs";
import { type Account, enroll, signUp } from "./api.ts";
import { type Classroom, createClassroom } from "./classroom.ts";

/** A course with a question that takes files, and its learners. */

const FILES = "0198f000-0000-7000-8000-00000000f001";

export const fileQuiz = {
  pass_percent: 60,
  reveal: "after_submit",
  questions: [
    {
      id: FILES,
      type: "file_upload",
      prompt: "Приложите отчёт о лабораторной работе и снимок экрана с результатом.",
      points: 5,
      max_files: 3,
      extensions: ["pdf", "docx", "png", "xls", "xlsx", "ods", "csv"],
      guide: "Три балла за отчёт, два за снимок.",
    },
  ],
};

/** A file as a file input takes it. */
export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export const pdf = (name: string): ChosenFile => ({
  name,
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"),
});

export const picture = async (name: string): Promise<ChosenFile> => ({
  name,
  mimeType: "image/png",
  buffer: await readFile(join(root, "docs/screenshots/home-dark.png")),
});

const table = (name: string): ChosenFile => ({
  name,
  mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  buffer: Buffer.from("PK\x03\x04".padEnd(52_000, "0")),
});

export interface FilesClass extends Classroom {
  learners: Account[];
}

/** Creates a quiz with a question that takes files, which two learners have answered. */
export async function createFilesClass(server: Server): Promise<FilesClass> {
  const classroom = await createClassroom(server, fileQuiz);
  const learners: Account[] = [];
  for (const name of ["Абрамова Ольга Ильинична", "Борисов Глеб Андреевич"]) {
    const learner = await signUp(server, name);
    await enroll(server, learner, classroom.shareCode);
    await submitFiles(classroom, learner, [
      await picture("Снимок экрана.png"),
      pdf("Отчёт о лабораторной работе № 3.pdf"),
      table("Измерения.xlsx"),
    ]);
    learners.push(learner);
  }
  return { ...classroom, learners };
}

/** Uploads the files and submits them as the answer to a question. */
export async function submitFiles(
  { server, quizId }: Pick<Classroom, "server" | "quizId">,
  learner: Account,
  files: ChosenFile[],
  questionId = FILES,
): Promise<void> {
  const fileIds: string[] = [];
  for (const { name, mimeType, buffer } of files) {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
    const answer = await fetch(`${server.url}/api/v1/courses/upload_answer_file/${quizId}/${questionId}`, {
      method: "POST",
      headers: { authorization: `Bearer ${learner.token}` },
      body: form,
    });
    if (!answer.ok) throw new Error(await answer.text());
    fileIds.push(((await answer.json()) as { id: string }).id);
  }
  const read = "query ($id: ID!) { page(id: $id) { version } }";
  const { page } = await graphql(server.url, learner.token, read, { id: quizId });
  const submit = "mutation ($input: SubmitQuizInput!) { submitQuiz(input: $input) { outcome error } }";
  const answers = [{ questionId, fileIds }];
  const input = { pageId: quizId, version: page.version, answers, submissionId: randomUUID() };
  const { submitQuiz } = await graphql(server.url, learner.token, submit, { input });
  if (submitQuiz.outcome !== "TAKEN") throw new Error(submitQuiz.error);
}
