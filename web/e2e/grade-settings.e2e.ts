import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { linkIn } from "../../scripts/mail-server.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { signUp } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { type Class, createClass } from "./grades-class.ts";
import { field } from "./ui.ts";

const open = (page: Page, { courseId }: Class) =>
  page.goto(`/edit-course/${courseId}?tab=grades&view=settings`);
const categories = (page: Page) => page.getByRole("list", { name: "Категории" }).getByRole("listitem");
const pages = (page: Page) => page.getByRole("list", { name: "Оцениваемые страницы" }).getByRole("listitem");
const dialog = (page: Page) => page.getByRole("dialog");
const undo = (page: Page) => page.getByRole("button", { name: "Отменить", exact: true }).last().click();

/** The settings as the server has them. */
async function stored({ server, owner, courseId }: Class) {
  const query = `query ($id: ID!) { gradeSettings(courseId: $id) { scheme thresholds missingCountsAsZero
    categories { id title weight dropLowest } items { title categoryId points extraCredit isExcluded } } }`;
  return (await graphql(server.url, owner.token, query, { id: courseId })).gradeSettings;
}

const change = ({ server, owner }: Class, name: string, input: object) =>
  graphql(
    server.url,
    owner.token,
    `mutation ($input: ${name}Input!) { ${name[0]?.toLowerCase()}${name.slice(1)}(input: $input) { settings { courseId } } }`,
    { input },
  );

test("the scheme and its thresholds are changed by keys, refused at their field, and undone", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await page.goto(`/edit-course/${world.courseId}?tab=grades`);
  await page.getByRole("link", { name: "Настройки оценок" }).press("Enter");
  await expect(page).toHaveURL(/view=settings/);
  await expect(field(page, "Порог «5», %")).toHaveValue("85");
  await expectAccessibleEverywhere(page, "grade settings");

  await field(page, "Порог «4», %").fill("90");
  await field(page, "Порог «3», %").fill("сто");
  await field(page, "Порог «4», %").press("Enter");
  await expect(page.getByText("Этот порог должен быть ниже предыдущего")).toBeVisible();
  await expect(page.getByText("Введите процент больше 0 и не больше 100")).toBeVisible();
  expect((await stored(world)).thresholds).toEqual(["85", "70", "50"]);
  await field(page, "Порог «4», %").fill("72,5");
  await field(page, "Порог «3», %").fill("45");
  await page.getByRole("checkbox", { name: "Несданное считать за 0" }).check();
  await page.getByRole("button", { name: "Сохранить", exact: true }).press("Enter");
  await expect(page.getByText("Настройки оценок сохранены.")).toBeVisible();
  expect(await stored(world)).toMatchObject({ thresholds: ["85", "72.5", "45"], missingCountsAsZero: true });
  await undo(page);
  await expect(field(page, "Порог «4», %")).toHaveValue("70");
  expect(await stored(world)).toMatchObject({ thresholds: ["85", "70", "50"], missingCountsAsZero: false });

  await page.getByRole("radio", { name: "Буквы" }).check();
  await expect(field(page, "Порог «D», %")).toHaveValue("60");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect.poll(async () => (await stored(world)).scheme).toBe("LETTERS");
  await page.getByRole("link", { name: "К журналу" }).click();
  await expect(page.getByRole("grid")).toContainText("100 %, A");
});

test("a scheme that somebody else changed meanwhile is not overwritten unseen", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await open(page, world);
  await field(page, "Порог «5», %").fill("95");
  const { courseId } = world;
  await change(world, "UpdateGradeSettings", { courseId, thresholds: ["80", "60", "40"] });
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("пороги 80, 60, 40");
  await expect(field(page, "Порог «5», %")).toHaveValue("95");
  expect((await stored(world)).thresholds).toEqual(["80", "60", "40"]);
  await expectAccessible(page, "a conflict of schemes");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect.poll(async () => (await stored(world)).thresholds[0]).toBe("95");
  await expect(page.getByText("Настройки оценок сохранены.")).toBeVisible();
  await change(world, "UpdateGradeSettings", { courseId, thresholds: ["90", "60", "40"] });
  await undo(page);
  await expect(page.getByText("Отменить нельзя: с тех пор настройки изменил кто-то другой.")).toBeVisible();
  expect((await stored(world)).thresholds).toEqual(["90", "60", "40"]);
});

test("categories are added, changed, moved, deleted with undo, and conflicts are shown", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await open(page, world);
  await expect(categories(page)).toHaveText([/Тесты.*вес 40 · 3\sстраницы/s]);
  await page.getByRole("button", { name: "Добавить категорию" }).press("Enter");
  await field(page, "Вес").fill("101");
  await field(page, "Сколько худших результатов не учитывать").fill("51");
  await field(page, "Название").press("Enter");
  await expect(page.getByText("Введите число от 0 до 100")).toBeVisible();
  await expect(page.getByText("Введите целое число от 0 до 50")).toBeVisible();
  await expectAccessibleEverywhere(page, "a new category");
  await field(page, "Название").fill("Экзамен");
  await field(page, "Вес").fill("60");
  await field(page, "Сколько худших результатов не учитывать").fill("1");
  await field(page, "Название").press("Enter");
  await expect(categories(page)).toHaveText([
    /Тесты/,
    /Экзамен.*вес 60 · 0\sстраниц · без 1\sхудшего результата/s,
  ]);

  await page.getByRole("button", { name: "Действия с категорией «Экзамен»" }).click();
  await page.getByRole("menuitem", { name: "Переместить выше" }).click();
  await expect(categories(page)).toHaveText([/Экзамен/, /Тесты/]);
  await page.getByRole("button", { name: "Действия с категорией «Тесты»" }).click();
  await page.getByRole("menuitem", { name: "Удалить категорию" }).click();
  await expect(page.getByText("3 страницы без категории не влияют на итог.")).toBeVisible();
  await undo(page);
  await expect(categories(page)).toHaveText([/Экзамен/, /Тесты.*вес 40 · 3\sстраницы/s]);

  await page.getByRole("button", { name: "Изменить: Тесты" }).click();
  await field(page, "Вес").fill("25");
  const tests = (await stored(world)).categories.find((one: { title: string }) => one.title === "Тесты");
  await change(world, "UpdateGradeCategory", { categoryId: tests.id, weight: "30" });
  await dialog(page).getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("Сейчас: «Тесты», вес 30");
  await expect(field(page, "Вес")).toHaveValue("25");
  await dialog(page).getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(categories(page).last()).toContainText("вес 25");
  await undo(page);
  await expect(categories(page).last()).toContainText("вес 30");
});

test("several pages are changed together, only in what was changed, and undone", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { courseId, quizzes } = world;
  await change(world, "SetGradeItems", { courseId, pageIds: [quizzes[2]], points: "30", extraCredit: true });
  const { page } = await tabFor(world.owner);
  await open(page, world);
  await expect(pages(page).last()).toContainText("30 б. · Тесты · дополнительно");
  await page.getByRole("checkbox", { name: "Выбрать все" }).check();
  await page.getByRole("button", { name: "Изменить 3 страницы" }).click();
  await expect(field(page, "Баллы")).toHaveValue("");
  await field(page, "Баллы").fill("0");
  await dialog(page).getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog(page)).toContainText("Введите число от 0,01 до 10 000");
  await field(page, "Баллы").fill("12,5");
  await expectAccessibleEverywhere(page, "several graded pages");
  await dialog(page).getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(pages(page)).toHaveText([
    /12,5 б\. · Тесты/,
    /12,5 б\. · Тесты/,
    /12,5 б\. · Тесты · дополнительно/,
  ]);
  await undo(page);
  await expect(pages(page).last()).toContainText("30 б. · Тесты · дополнительно");
  await expect(pages(page).first()).toContainText("10 б.");

  await page.getByRole("button", { name: "Изменить: Владение" }).click();
  await field(page, "Как учитывать").selectOption("Не учитывать ни у кого");
  await field(page, "Категория").selectOption("Без категории");
  await dialog(page).getByRole("button", { name: "Сохранить" }).click();
  await expect(pages(page).nth(1)).toContainText("без категории · не учитывается");
  expect((await stored(world)).items[1]).toMatchObject({ isExcluded: true, categoryId: null, points: "10" });
});

test.describe("an editor", () => {
  test.use({ smtp: true });

  test("reads the settings of the gradebook and cannot change them", async ({ server, mail, tabFor }) => {
    const world = await createClass(server);
    const editor = await signUp(server, "Редактор Роман Романович");
    await graphql(
      server.url,
      world.owner.token,
      "mutation ($input: InviteCollaboratorInput!) { inviteCollaborator(input: $input) { __typename } }",
      { input: { courseId: world.courseId, email: editor.email, role: "EDITOR" } },
    );
    const { page } = await tabFor(editor);
    await page.goto(linkIn(await mail.waitFor(editor.email), "/accept-invitation"));
    await expect(page).toHaveURL(new RegExp(`/edit-course/${world.courseId}`));
    await open(page, world);
    await expect(page.getByText("Настройки меняют владелец курса и преподаватели.")).toBeVisible();
    await expect(page.getByRole("radio", { name: "Только процент" })).toBeDisabled();
    await expect(page.getByRole("button", { name: /^(Изменить:|Добавить категорию|Сохранить)/ })).toHaveCount(
      0,
    );
    await expectAccessible(page, "grade settings of an editor");
  });
});
