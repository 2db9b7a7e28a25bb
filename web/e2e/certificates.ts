import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, courseTree, createCourse, enroll, generateShareCode, signUp, visit } from "./api.ts";
import type { Form, World } from "./grade-forms.ts";
import { field } from "./ui.ts";

/** Changes the design of the certificates of a course. */
export async function setDesign(
  server: Pick<Server, "url">,
  author: Pick<Account, "token">,
  courseId: string,
  to: object = { isOn: true },
): Promise<void> {
  const query =
    "mutation ($input: SetCertificateDesignInput!) { setCertificateDesign(input: $input) { design { isOn } } }";
  await graphql(server.url, author.token, query, { input: { courseId, ...to } });
}

/** Completes a course of pages without quizzes. */
export async function complete(server: Server, learner: Account, courseId: string): Promise<void> {
  const { modules } = await courseTree(server, learner.token, courseId);
  for (const { lessons } of modules)
    for (const { pages } of lessons) for (const { id } of pages) await visit(server, learner, id);
}

/** Completes a course and issues the certificate of the learner; returns its id. */
export async function award(server: Server, learner: Account, courseId: string): Promise<string> {
  await complete(server, learner, courseId);
  const query =
    "mutation ($input: IssueCertificateInput!) { issueCertificate(input: $input) { certificate { id } } }";
  return (await graphql(server.url, learner.token, query, { input: { courseId } })).issueCertificate
    .certificate.id;
}

export interface Awarding {
  owner: Account;
  learner: Account;
  courseId: string;
  shareCode: string;
}

/** A course of two pages that gives certificates, with one learner. */
export async function createAwarding(
  server: Server,
  title = "Морские узлы",
  design: object = { isOn: true },
): Promise<Awarding> {
  const owner = await signUp(server, "Рыбакова Анна Игоревна");
  const learner = await signUp(server, "Белова Ольга Сергеевна");
  const courseId = await createCourse(server, owner, title, {
    Основы: { Петля: ["Зачем нужна", "Как вязать"] },
  });
  await setDesign(server, owner, courseId, design);
  const shareCode = await generateShareCode(server, owner, courseId);
  await enroll(server, learner, shareCode);
  return { owner, learner, courseId, shareCode };
}

const awarded = new WeakMap<World, Promise<string>>();

/** Opens the certificates of a course, one of which it issues at first. */
async function openIssued(page: Page, world: World) {
  await page.goto("/");
  const server = { url: new URL(page.url()).origin } as Server;
  const issue = async () => {
    await setDesign(server, world.author, world.courseId);
    const learner = await signUp(server);
    await enroll(server, learner, await generateShareCode(server, world.author, world.courseId));
    return award(server, learner, world.courseId);
  };
  const issued = awarded.get(world) ?? issue();
  awarded.set(world, issued);
  await issued;
  await page.goto(`/edit-course/${world.courseId}?tab=students&view=certificates`);
  await page.getByRole("button", { name: "Отозвать сертификат" }).click();
}

export const certificateForms = {
  "certificate-design": {
    open: (page, { courseId }) => page.goto(`/edit-course/${courseId}?tab=settings`),
    field: (page) => field(page, "Заголовок сертификата"),
    typed: "Свидетельство",
    leave: (page) => page.getByRole("link", { name: "Содержание", exact: true }).click(),
  },
  "certificate-revocation": {
    open: openIssued,
    field: (page) => field(page, "Причина"),
    typed: "Выдан по ошибке",
  },
} satisfies Record<string, Form>;
