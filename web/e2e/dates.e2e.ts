import { graphql } from "../../scripts/client.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { type Classroom, createClassroom, oneQuestion } from "./classroom.ts";
import { expect, recordOperations, test } from "./fixtures.ts";
import { contents, field, pageLink } from "./ui.ts";

const DAY = 86_400_000;

/** A moment so many days from now; fractions are allowed. */
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();

type Part = "course" | "lesson" | "page";

/** Changes the dates of a part of the classroom's course as its owner. */
async function setDates({ server, owner }: Classroom, part: Part, id: string, dates: object) {
  const name = part[0]?.toUpperCase() + part.slice(1);
  const query = `mutation ($input: Update${name}Input!) { update${name}(input: $input) { ${part} { id } } }`;
  await graphql(server.url, owner.token, query, { input: { [`${part}Id`]: id, ...dates } });
}

/** The day of a moment as the screens write it. */
const dayOf = (iso: string) => {
  const date = new Date(iso);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat("ru", { day: "numeric", month: "long", year }).format(date);
};

test("a learner reads when parts open and are due, in both time zones, and locked pages are no links", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, lessonId, learner, pages } = classroom;
  const [opening, due] = [inDays(9), inDays(5)];
  await setDates(classroom, "course", courseId, { timeZone: "Asia/Yekaterinburg" });
  await setDates(classroom, "lesson", lessonId, { dueAt: due });
  await setDates(classroom, "page", pages[0], { dueAt: inDays(-2) });
  await setDates(classroom, "page", pages[2], { availableFrom: opening, dueAt: inDays(20) });
  const { page } = await tabFor(learner);
  await page.goto(`/view-course/${courseId}`);
  const main = page.getByRole("main");
  await expect(main.getByRole("button", { name: /Первые шаги/ })).toContainText(`До ${dayOf(due)},`);
  await expect(main.getByRole("button", { name: /Первые шаги/ })).toContainText("по времени курса, GMT+5");
  const overdue = main.getByRole("link", { name: /Переменные/ }).last();
  await expect(overdue).toContainText("Просрочено: до");
  const locked = main.getByRole("listitem").filter({ hasText: "Что дальше" }).last();
  await expect(locked).toContainText("Пока закрыто");
  await expect(locked).toContainText(`Откроется ${dayOf(opening)} в `);
  await expect(main.getByRole("link", { name: /Что дальше/ })).toHaveCount(0);
  await expectAccessibleEverywhere(page, "a course with dates");

  await main.getByRole("link", { name: "Начать" }).click();
  await expect(page.getByRole("article")).toContainText("Просрочено: до");
  await expect(contents(page).getByText("Что дальше")).toBeVisible();
  await expect(pageLink(page, pages[2])).toHaveCount(0);
  await expectAccessibleEverywhere(page, "an overdue page");
  await pageLink(page, pages[1]).click();
  await expect(page.getByRole("article")).toContainText(`До ${dayOf(due)},`);
  const neighbours = page.getByRole("navigation", { name: "Соседние страницы" });
  await expect(neighbours).toContainText("Пока закрыто");
  await expect(neighbours.getByRole("link", { name: /Что дальше/ })).toHaveCount(0);
});

test("a locked page says why and when it opens, leads on, and shows itself when it opens", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, learner, pages } = classroom;
  const opening = inDays(3);
  await setDates(classroom, "page", pages[2], { availableFrom: opening });
  const { page } = await tabFor(learner);
  await page.goto(`/view-page/${pages[2]}`);
  await expect(page.getByRole("heading", { level: 1, name: "Что дальше" })).toBeVisible();
  await expect(page.getByText(`Эта страница откроется ${dayOf(opening)} в `)).toBeVisible();
  await expectAccessibleEverywhere(page, "a locked page");
  await expect(page.getByRole("link", { name: "Продолжить: Переменные" })).toBeVisible();
  await page.getByRole("link", { name: "К содержанию курса" }).press("Enter");
  await expect(page).toHaveURL(new RegExp(`/view-course/${courseId}$`));

  await setDates(classroom, "page", pages[2], { availableFrom: inDays(20 / 86_400) });
  await page.goto(`/view-page/${pages[2]}`);
  await expect(page.getByText("Страница откроется сама")).toBeVisible();
  await expect(page.getByRole("article").getByText("Ещё.")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Страница откроется сама")).toHaveCount(0);
});

test("a quiz tells its late policy, the result names the penalty, and a closed quiz shows results", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { learner, quizId } = classroom;
  await setDates(classroom, "page", quizId, {
    dueAt: inDays(-1.5),
    lateUntil: inDays(5),
    latePenaltyPerDay: 10,
    latePenaltyMax: 50,
  });
  const { page } = await tabFor(learner);
  await page.goto(`/view-page/${quizId}`);
  const article = page.getByRole("article");
  await expect(article).toContainText("Просрочено: до");
  await expect(article).toContainText(/После срока −10.% за каждый день, но не больше 50.%/);
  await expect(article).toContainText(/Сейчас результат снизится на 20.%/);
  await expectAccessibleEverywhere(page, "a late quiz");
  await page.getByRole("radio", { name: "mut" }).check();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(page.getByText(/опозданием: результат снижен на 20.%/)).toBeVisible();

  await setDates(classroom, "page", quizId, {
    lateUntil: null,
    latePenaltyPerDay: null,
    latePenaltyMax: null,
  });
  await page.reload();
  await expect(article).toContainText("ответы больше не принимаются. Ваши результаты сохранились.");
  await expect(page.getByText(/результат снижен на 20.%/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Пройти ещё раз" })).toHaveCount(0);
  await expectAccessible(page, "a closed quiz");
});

test("an author sets the dates of a course and its parts in the time of the course, and undoes clearing", async ({
  server,
  tabFor,
}) => {
  const { courseId, owner, quizId } = await createClassroom(server, oneQuestion);
  const stored = async () => {
    const fields = "timeZone startsAt endsAt hideLockedTitles";
    const page = "dueAt availableFrom lateUntil latePenaltyPerDay latePenaltyMax";
    const query = `query ($id: ID!, $page: ID!) { course(id: $id) { ${fields} } page(id: $page) { ${page} } }`;
    return graphql(server.url, owner.token, query, { id: courseId, page: quizId });
  };
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=settings`);
  const dates = page.getByRole("region", { name: "Даты" });
  await field(page, "Часовой пояс курса").fill("Europe/Moscow");
  await expect(dates).toContainText("GMT+3");
  await field(page, "Начало").fill("1.9.2027");
  await field(page, "Конец").fill("скоро");
  await dates.getByRole("checkbox", { name: /^Скрывать названия/ }).check();
  await dates.getByRole("button", { name: "Сохранить даты" }).click();
  await expect(dates.getByText("Напишите день и, если нужно, время")).toBeVisible();
  await field(page, "Конец").fill("31.8.2027");
  await dates.getByRole("button", { name: "Сохранить даты" }).click();
  // The server refuses an end before the start, at its field, and what was typed stays.
  await expect(field(page, "Конец")).toHaveAttribute("aria-invalid", "true");
  await expect(field(page, "Конец")).toHaveValue("31.8.2027");
  await expectAccessible(page, "refused dates of a course");
  await field(page, "Конец").fill("31.05.2028 12:30");
  await dates.getByRole("button", { name: "Сохранить даты" }).click();
  await expect(field(page, "Начало")).toHaveValue("01.09.2027 00:00");
  expect((await stored()).course).toEqual({
    timeZone: "Europe/Moscow",
    startsAt: "2027-08-31T21:00:00Z",
    endsAt: "2028-05-31T09:30:00Z",
    hideLockedTitles: true,
  });
  await expectAccessibleEverywhere(page, "the dates of a course");

  await page.goto(`/edit-course/${courseId}`);
  const openDialog = async () => {
    await page.getByRole("button", { name: "Действия: Проверьте себя" }).press("Enter");
    await page.getByRole("menuitem", { name: "Даты…" }).press("Enter");
  };
  await openDialog();
  const dialog = page.getByRole("dialog", { name: "Даты: Проверьте себя" });
  await expect(dialog).toContainText(/открываются 1 сентября( 2027.г\.)? в.00:00/);
  await dialog.getByLabel("Сдать до", { exact: true }).fill("5.12.2027");
  await dialog.getByLabel("Принимать с опозданием до", { exact: true }).fill("10.12.2027 18:00");
  await dialog.getByLabel("Снижение за день, %").fill("10");
  await dialog.getByLabel("Наибольшее снижение, %").fill("50");
  await expectAccessibleEverywhere(page, "the dates of a quiz");
  await dialog.getByRole("button", { name: "Сохранить" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  const set = {
    dueAt: "2027-12-05T20:59:00Z",
    availableFrom: null,
    lateUntil: "2027-12-10T15:00:00Z",
    latePenaltyPerDay: 10,
    latePenaltyMax: 50,
  };
  expect((await stored()).page).toEqual(set);

  await openDialog();
  await expect(dialog.getByLabel("Сдать до", { exact: true })).toHaveValue("05.12.2027 23:59");
  await dialog.getByLabel("Принимать с опозданием до", { exact: true }).fill("");
  await dialog.getByLabel("Наибольшее снижение, %").fill("");
  await dialog.getByRole("button", { name: "Сохранить" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  expect((await stored()).page).toEqual({ ...set, lateUntil: null, latePenaltyMax: null });
  await page.getByRole("button", { name: "Отменить" }).last().click();
  await expect.poll(async () => (await stored()).page).toEqual(set);
});

test("all dates are edited in one table by keyboard, shifted together, and put back", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, owner, quizId } = classroom;
  await setDates(classroom, "course", courseId, { timeZone: "Europe/Moscow" });
  const stored = async () => {
    const query = `query ($id: ID!) { course(id: $id) { startsAt modules { dueAt lessons { availableFrom pages { id dueAt lateUntil } } } } }`;
    const { course } = await graphql(server.url, owner.token, query, { id: courseId });
    const [module] = course.modules;
    const [lesson] = module.lessons;
    const quiz = lesson.pages.find(({ id }: { id: string }) => id === quizId);
    return [course.startsAt, module.dueAt, lesson.availableFrom, quiz.dueAt, quiz.lateUntil];
  };
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}`);
  await page.getByRole("link", { name: "Даты", exact: true }).press("Enter");
  await expect(page.getByRole("heading", { name: "Дат пока нет" })).toBeVisible();
  const grid = page.getByRole("grid", { name: "Даты курса" });
  const cell = (kind: string, column: number) =>
    grid.locator(`tr[data-kind=${kind}] [data-cell]`).nth(column);
  await expectAccessibleEverywhere(page, "a course without dates");

  // Row by row: a digit opens a cell, Enter saves it and goes down.
  const operations = recordOperations(page);
  await cell("course", 0).focus();
  await page.keyboard.type("1.12.2027 10:00");
  await page.keyboard.press("Enter");
  await expect(cell("course", 0)).toHaveText("01.12.2027 10:00");
  await expect(cell("module", 0)).toBeFocused();
  expect(operations.filter((name) => name === "SetCourseDates")).toHaveLength(1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.type("20.12.2027");
  await page.keyboard.press("Enter");
  await expect(cell("module", 1)).toHaveText("20.12.2027 23:59");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("F2");
  await page.keyboard.type("завтра");
  await page.keyboard.press("Enter");
  await expect(cell("lesson", 0)).toContainText("Напишите день");
  await expectAccessible(page, "an unreadable date in the table");
  await page.keyboard.press("Escape");
  await expect(cell("lesson", 0)).toHaveText("—");
  await expect(cell("lesson", 0)).toBeFocused();
  await page.keyboard.type("2.12.2027");
  await page.keyboard.press("Enter");
  await expect(cell("lesson", 0)).toHaveText("02.12.2027 00:00");
  const quiz = grid.getByRole("row").filter({ hasText: "Проверьте себя" }).locator("[data-cell]");
  await quiz.nth(1).press("Enter");
  await page.keyboard.type("10.12.2027");
  await page.keyboard.press("Enter");
  await expect(quiz.nth(1)).toHaveText("10.12.2027 23:59");
  // The server refuses late attempts that end before the due date: the reason and the text stay in the cell.
  await quiz.nth(2).press("Enter");
  await page.keyboard.type("9.12.2027 12:00");
  await page.keyboard.press("Enter");
  await expect(quiz.nth(2).getByRole("alert")).toBeVisible();
  await expect(quiz.nth(2)).toContainText("9.12.2027 12:00");
  await quiz.nth(2).press("Enter");
  await page.keyboard.type("12.12.2027 12:00");
  await page.keyboard.press("Enter");
  await expect(quiz.nth(2)).toHaveText("12.12.2027 12:00");
  const set = [
    "2027-12-01T07:00:00Z",
    "2027-12-20T20:59:00Z",
    "2027-12-01T21:00:00Z",
    "2027-12-10T20:59:00Z",
    "2027-12-12T09:00:00Z",
  ];
  await expect.poll(stored).toEqual(set);

  await page.getByRole("checkbox", { name: "Выбрать всё" }).check();
  const bar = page.getByRole("region", { name: "Выбранные части" });
  await field(page, "На сколько дней").fill("полгода");
  await bar.getByRole("button", { name: "Сдвинуть" }).click();
  await expect(bar).toContainText("Напишите число дней");
  await expectAccessibleEverywhere(page, "the table of dates with everything selected");
  await field(page, "На сколько дней").fill("7");
  await field(page, "На сколько дней").press("Enter");
  await expect(quiz.nth(1)).toHaveText("17.12.2027 23:59");
  await expect
    .poll(stored)
    .toEqual([
      "2027-12-08T07:00:00Z",
      "2027-12-27T20:59:00Z",
      "2027-12-08T21:00:00Z",
      "2027-12-17T20:59:00Z",
      "2027-12-19T09:00:00Z",
    ]);
  await page.getByRole("button", { name: "Отменить" }).last().click();
  await expect(quiz.nth(1)).toHaveText("10.12.2027 23:59");
  await expect.poll(stored).toEqual(set);

  await field(page, "Новое начало").fill("1.2.2028");
  await field(page, "Новое начало").press("Enter");
  await expect(cell("course", 0)).toHaveText("01.02.2028 10:00");
  await expect(quiz.nth(2)).toHaveText("12.02.2028 12:00");
  await page.getByRole("button", { name: "Отменить" }).last().click();
  await expect.poll(stored).toEqual(set);
  await bar.getByRole("button", { name: "Снять выбор" }).click();

  await cell("module", 1).press("Delete");
  await expect(cell("module", 1)).toHaveText("—");
  await page.getByRole("button", { name: "Отменить" }).last().click();
  await expect(cell("module", 1)).toHaveText("20.12.2027 23:59");
});

test("a column of dates is pasted into the table or spread over selected parts, and put back", async ({
  server,
  tabFor,
}) => {
  const { courseId, owner } = await createClassroom(server, oneQuestion);
  const { page, context } = await tabFor(owner);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/edit-course/${courseId}?tab=dates`);
  const grid = page.getByRole("grid", { name: "Даты курса" });
  const due = (title: string) =>
    grid.getByRole("row").filter({ hasText: title }).last().locator("[data-cell]").nth(1);
  const titles = ["Переменные", "Проверьте себя", "Что дальше"];
  const shown = () => Promise.all(titles.map((title) => due(title).innerText()));
  await expect(due("Переменные")).toHaveText("—");
  const paste = async (text: string) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await page.keyboard.press("Control+V");
  };

  // Without a selection the lines go to the rows below, and a text that is no date stays with the reason.
  await due("Первые шаги").click();
  await page.keyboard.press("ArrowDown");
  await paste("1.12.2027\nскоро\n15.12.2027 12:00\n\n9.9.2027");
  await expect(due("Проверьте себя").getByRole("alert")).toContainText("Напишите день");
  await expect(page.getByText("Даты поставлены в 2 частях курса. Не нашлось места: 1.")).toBeVisible();
  await expect(due("Переменные")).toHaveText("01.12.2027 23:59");
  await expect(due("Что дальше")).toHaveText("15.12.2027 12:00");
  await page.getByRole("button", { name: "Отменить" }).last().click();
  await expect(due("Что дальше")).toHaveText("—");
  await due("Проверьте себя").press("Enter");
  await page.keyboard.press("Escape");
  await expect.poll(shown).toEqual(["—", "—", "—"]);

  // With a selection they go to the selected rows.
  await page.getByRole("group", { name: "Выбрать:" }).getByRole("button", { name: "Страницы" }).click();
  await grid.getByRole("checkbox", { name: "Выбрать: Проверьте себя" }).uncheck();
  await due("Переменные").focus();
  await paste("1.12.2027\n8.12.2027");
  await expect.poll(shown).toEqual(["01.12.2027 23:59", "—", "08.12.2027 23:59"]);

  await page.getByRole("group", { name: "Выбрать:" }).getByRole("button", { name: "Тесты" }).click();
  await grid.getByRole("checkbox", { name: "Выбрать: Что дальше" }).check();
  const bar = page.getByRole("region", { name: "Выбранные части" });
  await field(page, "Первый срок").fill("1.3.2028");
  await field(page, "Шаг, дней").fill("");
  await bar.getByRole("button", { name: "Расставить сроки" }).click();
  await expect(bar).toContainText("Напишите число дней: 7.");
  await expectAccessibleEverywhere(page, "due dates spread over selected parts");
  await field(page, "Шаг, дней").fill("14");
  // The table shows the dates before they are saved. Until then the newest toast, and its undo button, belongs to the last paste.
  await page.getByRole("button", { name: "Закрыть" }).last().click();
  await field(page, "Шаг, дней").press("Enter");
  await expect.poll(shown).toEqual(["01.12.2027 23:59", "01.03.2028 23:59", "15.03.2028 23:59"]);
  await page.getByRole("button", { name: "Отменить" }).last().click();
  await expect.poll(shown).toEqual(["01.12.2027 23:59", "—", "08.12.2027 23:59"]);
});

test("a date that someone else changed meanwhile is not overwritten, and what was typed stays", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, lessonId, owner } = classroom;
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=dates`);
  const grid = page.getByRole("grid", { name: "Даты курса" });
  const due = grid.locator("tr[data-kind=lesson] [data-cell]").nth(1);
  await expect(due).toHaveText("—");
  await setDates(classroom, "lesson", lessonId, { dueAt: "2027-12-05T12:00:00Z" });
  await due.press("Enter");
  await page.keyboard.type("1.12.2027");
  await page.keyboard.press("Enter");
  await expect(due.getByRole("alert")).toHaveText("Эту дату уже изменил кто-то другой");
  await expect(due).toContainText("1.12.2027");
  await expectAccessible(page, "a date that someone else changed");
  await due.press("Enter");
  await page.keyboard.press("Escape");
  await expect(due).toHaveText("05.12.2027 12:00");
  // After the other date is shown, it may be replaced.
  await due.press("Enter");
  await due.getByRole("textbox").fill("1.12.2027");
  await page.keyboard.press("Enter");
  await expect(due).toHaveText("01.12.2027 23:59");
});

test("an author copies a course with a new start, and sees by how many days everything moves", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, owner, pages } = classroom;
  await setDates(classroom, "course", courseId, { timeZone: "Europe/Moscow", startsAt: "2026-09-01" });
  await setDates(classroom, "page", pages[0], { dueAt: "2026-09-08" });
  const { page } = await tabFor(owner);
  await page.goto("/");
  await page.getByRole("button", { name: /^Действия с курсом/ }).click();
  await page.getByRole("menuitem", { name: "Копия с новым началом" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Самая ранняя дата курса перейдёт на этот день")).toBeVisible();
  await field(page, "Новое начало").fill("нет");
  await dialog.getByRole("button", { name: "Сделать копию" }).click();
  await expect(dialog.getByText("Напишите день и, если нужно, время")).toBeVisible();
  await field(page, "Новое начало").fill("01.09.2040");
  await dialog.getByRole("button", { name: "Сделать копию" }).click();
  await expect(dialog.getByText("не больше чем на 10 лет")).toBeVisible();
  await field(page, "Новое начало").fill("31.08.2026");
  await expect(dialog.getByText("Всё сдвинется на 1 день назад.")).toBeVisible();
  await field(page, "Новое начало").fill("04.09.2027");
  await expect(dialog.getByText("Всё сдвинется на 368 дней вперёд.")).toBeVisible();
  await expectAccessibleEverywhere(page, "copying a course with a new start");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  const query = "query { myCourses { nodes { title startsAt modules { lessons { pages { dueAt } } } } } }";
  const { myCourses } = await graphql(server.url, owner.token, query, {});
  const copy = myCourses.nodes.find(({ title }: { title: string }) => title.endsWith("(копия)"));
  expect(copy.startsAt).toBe("2027-09-03T21:00:00Z");
  expect(copy.modules[0].lessons[0].pages[0].dueAt).toBe("2027-09-11T20:59:00Z");
});
