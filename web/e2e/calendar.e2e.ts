import { graphql } from "../../scripts/client.mjs";
import { expectAccessibleEverywhere } from "./accessibility.ts";
import { signUp } from "./api.ts";
import { type Classroom, createClassroom } from "./classroom.ts";
import { expect, test } from "./fixtures.ts";

const DAY = 86_400_000;

/** A moment so many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();

/** The heading of a month so many months from now. */
function monthTitle(months: number): string {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth() + months, 1);
  return new Intl.DateTimeFormat("ru", { month: "long", year: "numeric" }).format(day);
}

/** Sets the due date of a page as the owner of the classroom's course. */
async function setDue({ server, owner }: Classroom, pageId: string | undefined, dueAt: string) {
  const query = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await graphql(server.url, owner.token, query, { input: { pageId, dueAt } });
}

const quiz = {
  pass_percent: 50,
  questions: [{ type: "numeric", prompt: "2 + 2?", value: 4 }],
};

test("home shows what is due next and what is overdue, and the calendar lists and draws all dates", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, quiz);
  const { learner, pages } = classroom;
  await setDue(classroom, pages[0], inDays(-2));
  await setDue(classroom, pages[2], inDays(5));
  const zone = "mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }";
  const input = { courseId: classroom.courseId, timeZone: "Pacific/Kiritimati" };
  await graphql(classroom.server.url, classroom.owner.token, zone, { input });
  const { page } = await tabFor(learner);
  await page.goto("/");
  const upcoming = page.getByRole("region", { name: "Ближайшие сроки" });
  await expect(upcoming.getByRole("listitem").first()).toContainText(/Просрочено: .*Переменные/);
  await expect(upcoming.getByRole("listitem").last()).toContainText(/До .*Что дальше/);
  await expect(upcoming.getByRole("listitem").last()).toContainText(/по времени курса, GMT\+14/);
  await expectAccessibleEverywhere(page, "home with due dates");

  await upcoming.getByRole("link", { name: "Календарь" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Календарь" })).toBeVisible();
  const overdue = page.getByRole("region", { name: "Просрочено" });
  await expect(overdue.getByRole("listitem")).toHaveCount(1);
  await expect(overdue).toContainText(/Переменные.* по времени курса, GMT\+14/);
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(2);
  await expectAccessibleEverywhere(page, "the agenda");

  await page.getByRole("link", { name: "Месяц", exact: true }).press("Enter");
  const table = page.getByRole("table");
  await expect(table.locator('[aria-current="date"]')).toContainText("Сегодня");
  await expectAccessibleEverywhere(page, "the month");
  const month = new Date(Date.now() + 5 * DAY).getMonth() - new Date().getMonth();
  if (month !== 0) await page.getByRole("link", { name: "Следующий месяц" }).press("Enter");
  const cell = table.getByRole("cell").filter({ has: page.getByRole("link", { name: "Что дальше" }) });
  await expect(cell).toContainText(/по времени курса, GMT\+14/);
  await page.getByRole("link", { name: "Сегодня", exact: true }).press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: monthTitle(0) })).toBeVisible();
  await page.getByRole("link", { name: "Предыдущий месяц" }).press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: monthTitle(-1) })).toBeVisible();

  await page.goto("/calendar");
  await page.getByRole("link", { name: "Что дальше" }).press("Enter");
  await page.waitForURL((url) => url.pathname === `/view-page/${pages[2]}`);
});

test("an empty calendar says what to do, and the address of the feed is made, replaced and revoked", async ({
  server,
  tabFor,
}) => {
  const { page } = await tabFor(await signUp(server));
  await page.goto("/calendar");
  await expect(page.getByRole("heading", { name: "Впереди ничего нет" })).toBeVisible();
  const status = async (path: string) => (await fetch(server.url + path)).status;
  const address = page.getByLabel("Адрес для календаря");
  const made = async () => new URL(await address.innerText()).pathname;
  await page.getByRole("button", { name: "Создать адрес" }).press("Enter");
  await expect(address).toBeVisible();
  await expect(page.getByText("Его ещё не читали.")).toBeVisible();
  const first = await made();
  expect(await status(first)).toBe(200);
  await expectAccessibleEverywhere(page, "a new address");

  await page.getByRole("button", { name: "Создать новый адрес" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Создать новый адрес" }).press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const second = await made();
  expect([await status(first), await status(second)]).toEqual([404, 200]);

  await page.reload();
  await expect(page.getByText(/Последний раз его читали/)).toBeVisible();
  await expect(address).toHaveCount(0);
  await page.getByRole("button", { name: "Отозвать адрес" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Отозвать адрес" }).press("Enter");
  await expect(page.getByRole("button", { name: "Создать адрес" })).toBeVisible();
  expect(await status(second)).toBe(404);
});
