import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { CLASS, type Class, createClass, decide, firstEnrollment } from "./grades-class.ts";
import { field } from "./ui.ts";

const open = (page: Page, { courseId }: Class) =>
  page.goto(`/edit-course/${courseId}?tab=grades&view=import`);
const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer });
const changes = (page: Page) => page.getByRole("region", { name: "Изменения" }).getByRole("listitem");
const codeOf = (id: string | undefined) => (id ?? "").replaceAll("-", "").slice(-8);

/** The cells of the first learner. */
async function cells({ server, owner, courseId }: Class) {
  const query = "query ($id: ID!) { gradebook(courseId: $id) { rows { nodes { cells } } } }";
  return (await graphql(server.url, owner.token, query, { id: courseId })).gradebook.rows.nodes[0].cells;
}

test("grades go out for a Russian Excel, come back in its encoding, and the upload is undone", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await page.goto(`/edit-course/${world.courseId}?tab=grades`);
  await page.getByRole("button", { name: "Скачать CSV" }).press("Enter");
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Для Excel: через точку с запятой" }).press("Enter");
  const file = await download;
  expect(file.suggestedFilename()).toBe("Основы Rust, оценки.csv");
  const text = (await readFile(await file.path())).toString("utf8");
  expect(text.startsWith("\ufeff")).toBe(true);
  expect(text.split("\r\n")[0]).toContain(`"Email";`);

  // A teacher fills in the second quiz of the first learner in Excel, which saves the file as Windows-1251.
  const lines = text.slice(1).split("\r\n");
  const at = lines.findIndex((line) => line.includes(CLASS[0] ?? ""));
  const line = (lines[at] ?? "").split(";");
  line[4] = '"8,5"';
  lines[at] = line.join(";");
  await page.getByRole("link", { name: "Загрузить CSV" }).press("Enter");
  await choose(page, "Ведомость.csv", windows1251(lines.join("\r\n")));
  await expect(page.getByText("Ведомость.csv")).toBeVisible();
  await page.getByRole("button", { name: "Показать изменения" }).click();
  await expect(page.getByText("Напишите причину")).toBeVisible();
  await field(page, "Причина").fill("Бумажная ведомость");
  await field(page, "Причина").press("Enter");
  await expect(changes(page)).toHaveText([
    /Абрамова Ольга Ильинична.*Владение.*было: нет\sоценки → 8,5 б\./s,
  ]);
  await expect(page.getByText(/Изменится 1.оценка\./)).toBeVisible();
  await expectAccessibleEverywhere(page, "what a table changes");
  expect((await cells(world))[1].source).toBe("none");

  await page.getByRole("button", { name: "Изменить 1 оценку" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Изменена 1 оценка" })).toBeVisible();
  expect((await cells(world))[1]).toMatchObject({ source: "override", points: "8.5" });
  await expectAccessible(page, "what a table has changed");
  await page.getByRole("button", { name: "Отменить загрузку" }).click();
  await expect(page.getByRole("heading", { name: "Возвращена 1 оценка" })).toBeVisible();
  expect((await cells(world))[1].source).toBe("none");
});

test("wrong files, lines and cells are refused in words, and nothing is changed", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await open(page, world);
  await choose(page, "Ведомость.xlsx", Buffer.from("PK\u0003\u0004…"));
  await expect(page.getByRole("alert")).toContainText("Сохраните лист как CSV");
  await expect(page.getByRole("button", { name: "Показать изменения" })).toBeDisabled();
  await choose(page, "Пусто.csv", Buffer.from(""));
  await expect(page.getByRole("alert")).toContainText("Файл пуст.");
  await field(page, "Причина").fill("Ведомость");
  await choose(page, "Список.csv", Buffer.from("Имя;Телефон\r\nАнна;123"));
  await page.getByRole("button", { name: "Показать изменения" }).click();
  await expect(page.locator("main").getByRole("alert")).toContainText("Email");
  await expectAccessible(page, "a table that is none");

  const [one, two] = world.learners.map(({ email }) => email);
  const [first, second] = world.quizzes.map(codeOf);
  const table = [
    `Email;Тест [${first}];Другой [${second}]`,
    `${one};9;много`,
    `${two};;`,
    "gost@example.com;1;1",
  ].join("\r\n");
  await choose(page, "Ведомость.csv", Buffer.from(table));
  await page.getByRole("button", { name: "Показать изменения" }).click();
  const refused = page.getByRole("region", { name: "Что не прочитано" }).getByRole("listitem");
  await expect(refused).toHaveCount(2);
  await expect(refused.first()).toContainText(`Строка 2, «Другой [${second}]»:`);
  await expect(refused.last()).toContainText("Строка 4");
  await expect(changes(page)).toHaveText([/5 б\. → 9 б\./]);
  await expect(page.getByText(/Без изменений.—.2.ячейки/)).toBeVisible();
  expect((await cells(world))[0].source).toBe("automatic");
});

test("a table on outdated grades is shown again before it changes them, and its undo spares later decisions", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await open(page, world);
  const [first, second] = world.quizzes;
  const email = world.learners[0]?.email;
  await choose(page, "a.csv", Buffer.from(`Email;[${codeOf(first)}];[${codeOf(second)}]\n${email};9;10`));
  await field(page, "Причина").fill("Ведомость");
  await field(page, "Причина").press("Enter");
  await expect(changes(page)).toHaveCount(2);
  const enrollmentId = await firstEnrollment(world);
  await decide(world, { enrollmentId, pageId: first, kind: "OVERRIDE", points: "7", reason: "Устно" });
  await page.getByRole("button", { name: "Изменить 2 оценки" }).click();
  await expect(page.locator("main").getByRole("alert")).toContainText("ничего не сохранено");
  await expect(changes(page).first()).toContainText("было: 7 б. → 9 б.");
  await page.getByRole("button", { name: "Изменить 2 оценки" }).click();
  await expect(page.getByRole("heading", { name: "Изменены 2 оценки" })).toBeVisible();
  await decide(world, {
    enrollmentId,
    pageId: second,
    version: 1,
    kind: "OVERRIDE",
    points: "3",
    reason: "Пересдача",
  });
  await page.getByRole("button", { name: "Отменить загрузку" }).click();
  await expect(page.getByRole("heading", { name: "Возвращена 1 оценка" })).toBeVisible();
  await expect(page.getByText("Остальные с тех пор изменили")).toBeVisible();
  expect(await cells(world)).toMatchObject([{ points: "7" }, { points: "3" }, {}]);
});

/** The text in the encoding of Russian Windows. */
function windows1251(text: string): Buffer {
  const decoder = new TextDecoder("windows-1251");
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Buffer.from([...text].map((letter) => bytes.get(letter) ?? 63));
}
