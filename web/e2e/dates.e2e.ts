import { graphql } from "../../scripts/client.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { type Classroom, createClassroom } from "./classroom.ts";
import { expect, test } from "./fixtures.ts";
import { contents, pageLink } from "./ui.ts";

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
const dayOf = (iso: string) =>
  new Intl.DateTimeFormat("ru", { day: "numeric", month: "long" }).format(new Date(iso));

const oneQuestion = {
  pass_percent: 50,
  questions: [
    {
      type: "single_choice",
      prompt: "Какое слово делает переменную изменяемой?",
      options: [{ content: "mut", correct: true }, { content: "var" }],
    },
  ],
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

  await setDates(classroom, "page", pages[2], { availableFrom: inDays(6 / 86_400) });
  await page.goto(`/view-page/${pages[2]}`);
  await expect(page.getByText("Страница откроется сама")).toBeVisible();
  await expect(page.getByRole("article").getByText("Ещё.")).toBeVisible();
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
