import { post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { enroll, signUp } from "./api.ts";
import { type Classroom, createClassroom } from "./classroom.ts";
import { expect, test } from "./fixtures.ts";
import { field } from "./ui.ts";

/** A course with the classroom's learner and two more, without groups. */
async function createClass(server: Server) {
  const classroom = await createClassroom(server);
  const boris = await signUp(server, "Борисов Борис Борисович");
  const olga = await signUp(server, "Ёлкина Ольга Петровна");
  for (const account of [boris, olga]) await enroll(server, account, classroom.shareCode);
  return { ...classroom, boris, olga };
}

function createGroup(server: Server, { owner, courseId }: Classroom, title: string) {
  return post(server.url, `/api/v1/courses/create_group/${courseId}`, { title }, owner.token);
}

test("a teacher creates, renames, orders and deletes groups by keyboard", async ({ server, tabFor }) => {
  const classroom = await createClass(server);
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}?tab=students`);
  await page.getByRole("link", { name: "Группы", exact: true }).press("Enter");
  await expect(page.getByRole("heading", { name: "Групп пока нет" })).toBeVisible();
  const title = field(page, "Название группы");
  const groups = page.getByRole("list").getByRole("heading", { level: 2 });
  for (const name of ["10-А", "10-Б", "10-В"]) {
    await title.fill(name);
    await title.press("Enter");
    await expect(groups.last()).toHaveText(name);
    await expect(title).toHaveValue("");
  }
  const choose = async (group: string, item: string) => {
    await page.getByRole("button", { name: `Действия с группой «${group}»` }).press("Enter");
    await page.getByRole("menuitem", { name: item }).press("Enter");
  };
  await choose("10-В", "Переместить выше");
  await expect(groups).toHaveText(["10-А", "10-В", "10-Б"]);
  await choose("10-Б", "Переименовать…");
  await page.getByRole("dialog").getByRole("textbox").fill("11-Б");
  await page.keyboard.press("Enter");
  await expect(groups).toHaveText(["10-А", "10-В", "11-Б"]);
  await choose("10-А", "Удалить группу");
  await expect(groups).toHaveText(["10-В", "11-Б"]);
  await page.keyboard.press("Control+z");
  await expect(groups).toHaveText(["10-А", "10-В", "11-Б"]);
  await expectAccessibleEverywhere(page, "groups");
  await page.reload();
  await expect(groups).toHaveText(["10-А", "10-В", "11-Б"]);
});

test("a learner who follows the link of a group is enrolled in it and sees its name only", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClass(server);
  await createGroup(server, classroom, "Вечерняя");
  await createGroup(server, classroom, "Утренняя");
  const teacher = await tabFor(classroom.owner);
  await teacher.page.goto(`/edit-course/${classroom.courseId}?tab=students&view=groups`);
  const morning = teacher.page.getByRole("listitem").filter({ hasText: "Утренняя" });
  await morning.getByRole("button", { name: "Создать код группы" }).click();
  const code = await morning.getByRole("status", { name: "Код группы" }).innerText();
  const nina = await signUp(server, "Новикова Нина Ивановна");
  const learner = await tabFor(nina);
  await learner.page.goto(`/?code=${code}`);
  await learner.page.getByRole("button", { name: "Записаться" }).click();
  await expect(learner.page.getByText("группа «Утренняя»")).toBeVisible();
  await expect(learner.page.getByText("Ваша группа — «Утренняя»")).toBeVisible();
  await expect(learner.page.getByText("Вечерняя")).toHaveCount(0);
  // The teacher's open screen counts the learner without a reload.
  await expect(morning.getByRole("link", { name: "1 ученик" })).toBeVisible();
  await morning.getByRole("button", { name: "Действия" }).click();
  await teacher.page.getByRole("menuitem", { name: "Убрать код" }).click();
  await teacher.page.getByRole("dialog").getByRole("button", { name: "Убрать код" }).click();
  await expect(morning.getByRole("button", { name: "Создать код группы" })).toBeVisible();
});

test("students are moved one by one, together and by a pasted list", async ({ server, tabFor }) => {
  const classroom = await createClass(server);
  const { boris, olga, learner } = classroom;
  await createGroup(server, classroom, "А");
  await createGroup(server, classroom, "Б");
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}?tab=students`);
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await row(boris.fullName).getByRole("button", { name: "Без группы" }).press("Enter");
  await page.getByRole("menuitem", { name: "А", exact: true }).press("Enter");
  await expect(row(boris.fullName).getByRole("button", { name: `${boris.fullName}: А.` })).toBeVisible();

  for (const { fullName } of [olga, learner]) await page.getByLabel(`Выбрать: ${fullName}`).check();
  const chosen = page.getByRole("group", { name: "Выбранные ученики" });
  await expect(chosen).toContainText("Выбрано: 2");
  await expectAccessible(page, "selected students");
  await chosen.getByRole("button", { name: "Перевести в группу" }).click();
  await page.getByRole("menuitem", { name: "Б", exact: true }).click();
  for (const { fullName } of [olga, learner])
    await expect(row(fullName).getByRole("button", { name: `${fullName}: Б.` })).toBeVisible();
  await expect(chosen).toHaveCount(0);

  await page.getByRole("link", { name: "Группы", exact: true }).click();
  await page.getByRole("button", { name: "Действия с группой «А»" }).click();
  await page.getByRole("menuitem", { name: "Добавить по списку email…" }).click();
  const dialog = page.getByRole("dialog");
  await field(page, "Адреса учеников").fill(`Ольга <${olga.email}>; ${boris.email}\nnobody@example.com`);
  await dialog.getByRole("button", { name: "Проверить" }).click();
  await expect(dialog.getByRole("status")).toContainText("В группу перейдёт 1 ученик. Уже в группе: 1.");
  await expect(dialog.getByRole("listitem")).toHaveText(["nobody@example.com"]);
  await expectAccessible(page, "a pasted list");
  await dialog.getByRole("button", { name: "Перевести 1 ученика" }).click();
  await expect(dialog).toHaveCount(0);
  const group = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "А", exact: true }) });
  await expect(group.getByRole("link", { name: "2 ученика" })).toBeVisible();
});

test("the list, the map, the live feed and the file show the group of the address", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClass(server);
  const { boris, courseId, learner, pages } = classroom;
  const { id } = await createGroup(server, classroom, "А");
  const body = { emails: boris.email, group_id: id };
  await post(server.url, `/api/v1/courses/move_students_by_email/${courseId}`, body, classroom.owner.token);
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${courseId}?tab=students`);
  await field(page, "Группа").selectOption("А");
  await expect(page).toHaveURL(new RegExp(`group=${id}`));
  const names = page.getByRole("table").getByRole("rowheader").getByRole("link");
  await expect(names).toHaveText([boris.fullName]);
  await page.reload();
  await expect(names).toHaveText([boris.fullName]);
  const feed = page.getByRole("region", { name: "Прямо сейчас" });
  // The screen does not show when the subscription starts, so pages are read until one is reported.
  const unread = [...pages];
  await expect
    .poll(
      async () => {
        const next = unread.shift();
        for (const { token } of next ? [learner, boris] : [])
          await post(server.url, `/api/v1/courses/mark_page_visited/${next}`, {}, token);
        return feed.getByText("прочитано").count();
      },
      { timeout: 15_000, intervals: [1000] },
    )
    .toBeGreaterThan(0);
  await expect(feed.getByRole("link", { name: learner.fullName })).toHaveCount(0);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Скачать CSV" }).click();
  await page.getByRole("menuitem", { name: /через запятую/ }).click();
  const text = (await (await (await saved).createReadStream()).toArray()).join("");
  expect(text).toContain(boris.email);
  expect(text).not.toContain(learner.email);
  await page.getByRole("link", { name: "Карта курса" }).click();
  await expect(page.getByText("записался", { exact: true })).toBeVisible();
  await field(page, "Группа").selectOption("Без группы");
  await expect(page.getByText("записались", { exact: true })).toBeVisible();
  await page.goto(`/edit-course/${courseId}?tab=students&group=01890a5d-ac96-774b-bcce-b302099a8057`);
  await expect(names, "a group that is gone filters nothing").toHaveCount(3);
});
