import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { unzip, zip } from "../../scripts/zip.mjs";
import { expectAccessibleEverywhere } from "./accessibility.ts";
import { type Account, courseTree, enroll, generateShareCode, signUp, visit } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { field } from "./ui.ts";

const pageOf = (key: string, title: string, text: string) =>
  `+++\ntitle = "${title}"\nkey = "${key}"\n+++\n\n${text}\n`;

interface ImportedCourse {
  courseId: string;
  author: Account;
  learner: Account;
  /** The IDs of the pages. */
  pages: string[];
}

/** Imports a course of three pages, and a learner visits the first two. */
async function importVisitedCourse(server: Server, title: string): Promise<ImportedCourse> {
  const author = await signUp(server);
  const learner = await signUp(server);
  const archive = zip([
    ["course.toml", `title = "${title}"\n`],
    ["1-m/1-l/1-a.md", pageOf("a", "Первая", "Начало.")],
    ["1-m/1-l/2-b.md", pageOf("b", "Вторая", "Середина.")],
    ["1-m/1-l/3-c.md", pageOf("c", "Третья", "Конец.")],
  ]);
  const form = new FormData();
  form.append("preview", "false");
  form.append("file", new Blob([new Uint8Array(archive)]), "Курс.zip");
  const started = await fetch(`${server.url}/api/v1/courses/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${author.token}` },
    body: form,
  });
  const { id: jobId } = (await started.json()) as { id: string };
  const query = "query ($jobId: ID!) { importJob(jobId: $jobId) { courseId } }";
  const importedCourse = async () =>
    (await graphql(server.url, author.token, query, { jobId })).importJob.courseId;
  await expect.poll(importedCourse, "the import").not.toBeNull();
  const courseId: string = await importedCourse();
  await enroll(server, learner, await generateShareCode(server, author, courseId));
  const { modules } = await courseTree(server, learner.token, courseId);
  const pages = modules.flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages.map(({ id }) => id)));
  for (const page of pages.slice(0, 2)) await visit(server, learner, page);
  return { courseId, author, learner, pages };
}

async function exportCourse(page: Page, courseId: string): Promise<Map<string, Buffer>> {
  await page.goto(`/edit-course/${courseId}?tab=settings`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Скачать: Kurso Markdown" }).click(),
  ]);
  const stream = await download.createReadStream();
  return unzip(Buffer.concat(await stream.toArray()));
}

const send = (page: Page, files: Iterable<[string, Buffer | string]>) =>
  page
    .getByLabel("Выбрать файл")
    .last()
    .setInputFiles({ name: "Курс.zip", mimeType: "application/zip", buffer: zip(files) });

const replaceText = (files: Map<string, Buffer>, from: string, to: string) =>
  [...files].map(([name, bytes]): [string, Buffer | string] => {
    const text = bytes.toString();
    return [name, text.includes(from) ? text.replace(from, to) : bytes];
  });

const visitedPages = async (server: Server, { learner, courseId }: ImportedCourse) => {
  const { modules, progress } = await courseTree(server, learner.token, courseId);
  const pages = modules.flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages));
  return { titles: pages.map(({ title, isVisited }) => `${title}${isVisited ? " ✓" : ""}`), progress };
};

test.describe("update of a course from a file", () => {
  test("imports an edited export and keeps the progress of learners", async ({ server, tabFor }) => {
    const course = await importVisitedCourse(server, "Основы");
    const { courseId, author, learner, pages } = course;
    const before = await visitedPages(server, course);
    const { page } = await tabFor(author);
    const files = await exportCourse(page, courseId);

    await page.getByRole("link", { name: "Обновить курс из файла" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Обновление курса из файла" })).toBeVisible();
    await expect(page.getByText("Курс «Основы» станет таким, как в файле.")).toBeVisible();
    await expectAccessibleEverywhere(page, "choosing a file for an update");
    await send(page, replaceText(files, "Начало.", "Начало, поправленное."));
    await expect(page.getByText("Изменятся: 1")).toBeVisible();
    await expect(page.getByText("Без изменений: 2")).toBeVisible();
    await expect(page.getByText("Удалятся: 0")).toBeVisible();
    await expectAccessibleEverywhere(page, "the preview of an update");
    // No visits are lost, so no confirmation is needed.
    await page.getByRole("button", { name: "Обновить курс" }).click();
    await page.waitForURL((url) => url.pathname === `/edit-course/${courseId}`);
    expect(await visitedPages(server, course)).toEqual(before);
    expect(before.titles).toEqual(["Первая ✓", "Вторая ✓", "Третья"]);
    const query = "query ($id: ID!) { page(id: $id) { content } }";
    const read = await graphql(server.url, learner.token, query, { id: pages[0] });
    expect(JSON.stringify(read.page.content)).toContain("Начало, поправленное.");
  });

  test("names the dates that change, and moves all of them to a new start", async ({ server, tabFor }) => {
    const course = await importVisitedCourse(server, "Расписание");
    const { courseId, author } = course;
    const { page } = await tabFor(author);
    const files = await exportCourse(page, courseId);
    await page.getByRole("link", { name: "Обновить курс из файла" }).click();
    const dated = replaceText(
      files,
      'title = "Расписание"',
      'title = "Расписание"\nstarts_at = 2026-09-01\nends_at = "+30d"',
    );
    await send(page, dated);
    await expect(page.getByText("Изменятся даты")).toBeVisible();
    await expect(page.getByText("Было: нет. Станет: 1 сентября")).toBeVisible();
    await expectAccessibleEverywhere(page, "the preview of an update with dates");
    await field(page, "Новое начало").fill("01.10.2026");
    await page.getByRole("button", { name: "Сравнить с курсом" }).click();
    await expect(page.getByText("Было: нет. Станет: 1 октября")).toBeVisible();
    await expect(page.getByText("Было: нет. Станет: 31 октября")).toBeVisible();
    await page.getByRole("button", { name: "Обновить курс" }).click();
    await page.waitForURL((url) => url.pathname === `/edit-course/${courseId}`);
    const query = "query ($id: ID!) { course(id: $id) { startsAt endsAt } }";
    const { course: stored } = await graphql(server.url, author.token, query, { id: courseId });
    expect(stored).toEqual({ startsAt: "2026-10-01T00:00:00Z", endsAt: "2026-10-31T23:59:00Z" });
    await page.goto(`/edit-course/${courseId}?tab=settings`);
    await page.getByLabel("Даты в днях от начала курса").check();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Скачать: Kurso Markdown" }).click(),
    ]);
    const exported = unzip(Buffer.concat(await (await download.createReadStream()).toArray()));
    expect(exported.get("course.toml")?.toString()).toContain('ends_at = "+30d 23:59"');
  });

  test("requires the course title when a visited page would be deleted", async ({ server, tabFor }) => {
    const course = await importVisitedCourse(server, "Прощание");
    const { courseId, author } = course;
    const { page } = await tabFor(author);
    const files = await exportCourse(page, courseId);
    const without = [...files].filter(([, bytes]) => !bytes.toString().includes('key = "b"'));
    // An import that started as a new course can become an update.
    await page.goto("/import");
    await send(page, without);
    await page.getByLabel("Обновить мой курс").check();
    await page.getByLabel("Курс", { exact: true }).selectOption({ label: "Прощание" });
    await page.getByRole("button", { name: "Сравнить с курсом" }).click();
    await expect(page.getByText("Удалятся: 1")).toBeVisible();
    await expect(page.getByText("Попадёт в корзину: 1 посещение.")).toBeVisible();
    // The learner has read two of three pages; after the update, one of two.
    await expect(page.getByText("Изменится у 1 ученика")).toBeVisible();
    await expect(page.getByRole("row", { name: /Прогресс курса.*66 %.*50 %/ })).toBeVisible();
    await expectAccessibleEverywhere(page, "an update that deletes a page");
    await page.getByRole("button", { name: "Обновить курс" }).click();
    const dialog = page.getByRole("dialog", { name: "Обновить курс «Прощание»?" });
    await expect(dialog.getByText("Удалится 1 страница, которой нет в файле.")).toBeVisible();
    const confirm = dialog.getByRole("button", { name: "Обновить курс" });
    await expect(confirm).toBeDisabled();
    await dialog.getByRole("textbox").fill("Прощание");
    await confirm.click();
    await page.waitForURL((url) => url.pathname === `/edit-course/${courseId}`);
    expect((await visitedPages(server, course)).titles).toEqual(["Первая ✓", "Третья"]);
  });
});
