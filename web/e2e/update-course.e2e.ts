import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql, post } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { expectFineEverywhere, signedIn, withBrowser } from "./browser.ts";
import { enroll, type Person, person, tree } from "./people.ts";
import { unzipped, zipped } from "./zip.ts";

let server: Server;
let author: Person;
let learner: Person;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
  author = await person(server);
  learner = await person(server);
});
afterAll(() => server?.stop());

const pageOf = (key: string, title: string, text: string) =>
  `+++\ntitle = "${title}"\nkey = "${key}"\n+++\n\n${text}\n`;

/** A course of three pages, of which somebody has read the first two. */
async function readCourse(title: string): Promise<{ id: string; pages: string[] }> {
  const zip = zipped([
    ["course.toml", `title = "${title}"\n`],
    ["1-m/1-l/1-a.md", pageOf("a", "Первая", "Начало.")],
    ["1-m/1-l/2-b.md", pageOf("b", "Вторая", "Середина.")],
    ["1-m/1-l/3-c.md", pageOf("c", "Третья", "Конец.")],
  ]);
  const form = new FormData();
  form.append("preview", "false");
  form.append("file", new Blob([new Uint8Array(zip)]), "Курс.zip");
  const begun = await fetch(`${server.url}/api/v1/courses/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${author.token}` },
    body: form,
  });
  const { id: jobId } = (await begun.json()) as { id: string };
  const query = "query ($jobId: ID!) { importJob(jobId: $jobId) { courseId } }";
  let id: string | null = null;
  while (id === null) {
    await new Promise((done) => setTimeout(done, 50));
    id = (await graphql(server.url, author.token, query, { jobId })).importJob.courseId;
  }
  const asked = "query ($id: ID!) { course(id: $id) { shareCode } }";
  const { course } = await graphql(server.url, author.token, asked, { id });
  await enroll(server, learner, course.shareCode);
  const { modules } = await tree(server, learner.token, id);
  const pages = modules.flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages.map(({ id }) => id)));
  for (const page of pages.slice(0, 2)) {
    await post(server.url, `/api/v1/courses/mark_page_visited/${page}`, {}, learner.token);
  }
  return { id, pages };
}

async function exported(page: Page, id: string): Promise<Map<string, Buffer>> {
  await page.goto(`/edit-course/${id}?tab=settings`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Скачать: Kurso Markdown" }).click(),
  ]);
  const stream = await download.createReadStream();
  return unzipped(Buffer.concat(await stream.toArray()));
}

const send = (page: Page, files: Iterable<[string, Buffer | string]>) =>
  page
    .getByLabel("Выбрать файл")
    .last()
    .setInputFiles({ name: "Курс.zip", mimeType: "application/zip", buffer: zipped(files) });

const rewritten = (files: Map<string, Buffer>, from: string, to: string) =>
  [...files].map(([name, bytes]): [string, Buffer | string] => {
    const text = bytes.toString();
    return [name, text.includes(from) ? text.replace(from, to) : bytes];
  });

const visitedOf = async (id: string) => {
  const { modules, progress } = await tree(server, learner.token, id);
  const pages = modules.flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages));
  return { titles: pages.map(({ title, isVisited }) => `${title}${isVisited ? " ✓" : ""}`), progress };
};

describe("a course updated from its file", () => {
  test("goes out, is edited elsewhere and comes back, and its learners keep what they did", async () => {
    const { id, pages } = await readCourse("Основы");
    const before = await visitedOf(id);
    const { page } = await signedIn(server, author);
    const files = await exported(page, id);

    await page.getByRole("link", { name: "Обновить курс из файла" }).click();
    await page.getByRole("heading", { level: 1, name: "Обновление курса из файла" }).waitFor();
    await page.getByText("Курс «Основы» станет таким, как в файле.").waitFor();
    await expectFineEverywhere(page, "choosing a file for an update");
    await send(page, rewritten(files, "Начало.", "Начало, поправленное."));
    await page.getByText("Изменятся: 1").waitFor();
    await page.getByText("Без изменений: 2").waitFor();
    await page.getByText("Удалятся: 0").waitFor();
    await expectFineEverywhere(page, "what an update would do");
    // Nobody loses anything: nothing is asked.
    await page.getByRole("button", { name: "Обновить курс" }).click();
    await page.waitForURL((url) => url.pathname === `/edit-course/${id}`);
    expect(await visitedOf(id)).toEqual(before);
    expect(before.titles).toEqual(["Первая ✓", "Вторая ✓", "Третья"]);
    const query = "query ($id: ID!) { page(id: $id) { content } }";
    const read = await graphql(server.url, learner.token, query, { id: pages[0] });
    expect(JSON.stringify(read.page.content)).toContain("Начало, поправленное.");
  });

  test("asks for its title when a page that learners read would go", async () => {
    const { id } = await readCourse("Прощание");
    const { page } = await signedIn(server, author);
    const files = await exported(page, id);
    const without = [...files].filter(([, bytes]) => !bytes.toString().includes('key = "b"'));
    // Begun as a new course: it is compared first when somebody wants it to be an update.
    await page.goto("/import");
    await send(page, without);
    await page.getByLabel("Обновить мой курс").check();
    await page.getByLabel("Курс", { exact: true }).selectOption({ label: "Прощание" });
    await page.getByRole("button", { name: "Сравнить с курсом" }).click();
    await page.getByText("Удалятся: 1").waitFor();
    await page.getByText("Пропадёт: 1 посещение.").waitFor();
    await expectFineEverywhere(page, "an update that takes a page away");
    await page.getByRole("button", { name: "Обновить курс" }).click();
    const dialog = page.getByRole("dialog", { name: "Обновить курс «Прощание»?" });
    await dialog.getByText("Удалится 1 страница, которой нет в файле.").waitFor();
    const sure = dialog.getByRole("button", { name: "Обновить курс" });
    expect(await sure.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("Прощание");
    await sure.click();
    await page.waitForURL((url) => url.pathname === `/edit-course/${id}`);
    expect((await visitedOf(id)).titles).toEqual(["Первая ✓", "Третья"]);
  });
});
