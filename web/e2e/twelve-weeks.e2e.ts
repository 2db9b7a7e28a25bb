import { type CoursePlan, createCourse, enroll, generateShareCode, joinTeam, signUp } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { field } from "./ui.ts";
import { walk } from "./walk.ts";

const weeks = Array.from({ length: 12 }, (_, week) => week + 1);

/** The days of the deadlines: three in each week, as a spreadsheet has them in a column. */
const deadlines = weeks.flatMap((week) =>
  [1, 3, 5].map((day) => {
    const date = new Date(Date.UTC(2090, 8, 7 * (week - 1) + day));
    return date.toISOString().slice(0, 10).split("-").reverse().join(".");
  }),
);

test("an owner sets 36 deadlines in twelve weeks, and a teacher two groups and three extensions, in under 60 actions", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server, "Смирнова Анна Викторовна");
  const plan: CoursePlan = Object.fromEntries(
    weeks.map((week) => [
      `Неделя ${week}`,
      { [`Тема ${week}`]: [`Чтение ${week}`, `Практика ${week}`, `Итоги ${week}`] },
    ]),
  );
  const courseId = await createCourse(server, owner, "История за двенадцать недель", plan);
  const code = await generateShareCode(server, owner, courseId);
  const names = ["Борисов Борис", "Волкова Вера", "Громов Глеб", "Дубова Дарья", "Ежова Елена", "Жуков Жан"];
  const class_ = [];
  for (const name of names) {
    const account = await signUp(server, `${name} Иванович`);
    await enroll(server, account, code);
    class_.push(account);
  }
  const teacher = await signUp(server, "Учителева Ульяна Павловна");
  await joinTeam(server, owner, teacher, courseId, "teacher");

  const { page: author, context } = await tabFor(owner);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const dates = walk(author, "twelve-weeks-owner");
  const copy = (text: string) => author.evaluate((text) => navigator.clipboard.writeText(text), text);
  await author.goto(`/edit-course/${courseId}`);

  // The deadlines come from a spreadsheet. Only authors change the dates of a course.
  await dates.act(author.getByRole("link", { name: "Даты", exact: true }).click());
  const grid = author.getByRole("grid", { name: "Даты курса" });
  const pages = author.getByRole("group", { name: "Выбрать:" }).getByRole("button", { name: "Страницы" });
  await dates.act(pages.click());
  const due = (title: string) =>
    grid.getByRole("row").filter({ hasText: title }).last().locator("[data-cell]").nth(1);
  await dates.act(due("Чтение 1").first().click());
  await copy(deadlines.join("\n"));
  await dates.act(author.keyboard.press("Control+V"));
  await expect(due("Итоги 12")).toHaveText(`${deadlines[35]} 23:59`);
  await dates.photograph();

  // The students belong to a teacher, who does not own the course.
  const { page } = await tabFor(teacher);
  const { act, actions, photograph } = walk(page, "twelve-weeks");
  await page.goto("/");
  await act(page.getByRole("link", { name: "История за двенадцать недель" }).first().click());

  // Two groups, each filled from a pasted list of addresses.
  await act(page.getByRole("link", { name: "Ученики", exact: true }).click());
  await act(page.getByRole("link", { name: "Группы", exact: true }).click());
  for (const [group, members] of [
    ["10-А", class_.slice(0, 3)],
    ["10-Б", class_.slice(3)],
  ] as const) {
    await act(field(page, "Название группы").fill(group));
    await act(field(page, "Название группы").press("Enter"));
    await act(page.getByRole("button", { name: `Действия с группой «${group}»` }).click());
    await act(page.getByRole("menuitem", { name: "Добавить по списку email…" }).click());
    const dialog = page.getByRole("dialog");
    await act(field(page, "Адреса учеников").fill(members.map(({ email }) => email).join("\n")));
    await act(dialog.getByRole("button", { name: "Проверить" }).click());
    await act(dialog.getByRole("button", { name: "Перевести 3 учеников" }).click());
    await expect(dialog).toHaveCount(0);
  }
  await photograph();

  // Three students get another week for one page each.
  await act(page.getByRole("link", { name: "Список", exact: true }).click());
  for (const [at, part] of [
    [0, "Практика 3"],
    [2, "Итоги 5"],
    [4, "Практика 9"],
  ] as const) {
    const { fullName } = class_[at] ?? owner;
    await act(page.getByRole("button", { name: `Действия: ${fullName}` }).click());
    await act(page.getByRole("menuitem", { name: "Продлить срок…" }).click());
    const dialog = page.getByRole("dialog", { name: `Продлить срок: ${fullName}` });
    await act(field(page, "Часть курса").selectOption({ label: part }));
    await act(dialog.getByRole("button", { name: "+7 дней" }).click());
    await act(dialog.getByRole("button", { name: "Сохранить" }).click());
    await expect(dialog).toHaveCount(0);
  }
  await page.getByRole("link", { name: "Продления", exact: true }).click();
  await expect(page.getByRole("list", { name: "Продления" }).getByRole("listitem")).toHaveCount(3);
  await photograph();
  const all = dates.actions() + actions();
  test.info().annotations.push({ type: "actions", description: String(all) });
  expect(all).toBeLessThan(60);
  expect(all).toBe(37);
});
