import type { Page } from "@playwright/test";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { recordShifts } from "./changes.ts";
import { expect, test } from "./fixtures.ts";
import {
  answerOften,
  answerQuestion,
  askQuestion,
  createQuestioned,
  setQuestions,
} from "./page-questions.ts";
import { tabTo } from "./ui.ts";

// Questions under a page, as learners and the staff see them there.

const section = (page: Page) => page.getByRole("region", { name: "Вопросы", exact: true });
const row = (page: Page, words: string) => section(page).getByRole("button", { name: words });
const thread = (page: Page, words: string) =>
  page.getByRole("article", { name: `Вопрос: ${words}`, exact: true });
const card = (page: Page) => page.getByRole("region", { name: "Вопросы к этому фрагменту" });
const editor = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function openPage(page: Page, pageId: string, rest = ""): Promise<void> {
  await page.goto(`/view-page/${pageId}${rest}`);
  await page.getByRole("heading", { name: "Страница", level: 1 }).waitFor();
}

/** Scrolls to the section, which is loaded when it comes near the window. */
async function toSection(page: Page): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(section(page)).toBeVisible({ timeout: 1000 });
  }).toPass();
}

test("a learner asks in two actions, and the teacher answers without a reload of either", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  const { page } = await tabFor(world.learner);
  const teacher = await tabFor(world.owner);
  await openPage(page, world.pageId);
  await openPage(teacher.page, world.pageId);
  await toSection(page);
  await toSection(teacher.page);
  await expect(section(page)).toContainText("Вопросов пока нет");

  await section(page).getByRole("button", { name: "Задать вопрос" }).click();
  await editor(page, "Ваш вопрос").waitFor();
  await page.keyboard.type("Зачем нужно затенение?");
  await page.keyboard.press("Control+Enter");
  await expect(thread(page, "Зачем нужно затенение?")).toBeVisible();

  await row(teacher.page, "Зачем нужно затенение?").click();
  const answered = thread(teacher.page, "Зачем нужно затенение?");
  await answered.getByRole("button", { name: "Написать ответ" }).click();
  await editor(teacher.page, "Ваш ответ").waitFor();
  await teacher.page.keyboard.type("Чтобы ");
  await teacher.page.keyboard.press("Control+b");
  await teacher.page.keyboard.type("сменить тип");
  await teacher.page.keyboard.press("Control+Enter");

  const mine = thread(page, "Зачем нужно затенение?");
  await expect(mine).toContainText("Чтобы сменить тип");
  await expect(mine.locator("strong")).toHaveText("сменить тип");
  await expect(mine).toContainText("Ответ преподавателя");
  await mine.getByRole("button", { name: "Полезно" }).click();
  await expect(mine.getByRole("button", { name: /Полезно/ })).toHaveAttribute("aria-pressed", "true");
  await expect(answered).toContainText(/Полезно 1\sчеловеку/);
  await mine.getByRole("button", { name: "Отметить как решение" }).click();
  await expect(answered).toContainText("Решение");
  await expect(answered.getByRole("button", { name: "Открыть снова" })).toBeVisible();
});

test("questions are marked at their blocks, open there, and one is asked about a place", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  await askQuestion(world, world.other, "Что значит изменяемая?", { block: 2 });
  const { page } = await tabFor(world.learner);
  const shifts = await recordShifts(page);
  await openPage(page, world.pageId);
  const mark = page.getByRole("button", { name: /^1\sоткрытый вопрос к\sблоку 3$/ });
  await expect(mark).toHaveText("1");
  await page.waitForLoadState("networkidle");
  expect(await shifts()).toBeLessThan(0.001);

  await mark.click();
  await expect(thread(page, "Что значит изменяемая?")).toBeVisible();
  await expectAccessibleEverywhere(page, "questions: at a block");
  await page.keyboard.press("Escape");
  await expect(card(page)).toBeHidden();
  await expect(mark).toBeFocused();

  await page.getByText("Значение по умолчанию").hover();
  await page.getByRole("button", { name: /^Спросить о\sблоке 2: Значение по/ }).click();
  await editor(page, "Ваш вопрос").waitFor();
  await page.keyboard.type("А если очень нужно?");
  await press(page, "Спросить");
  await expect(card(page).getByRole("article", { name: /А если очень нужно/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^1\sоткрытый вопрос к\sблоку 2$/ })).toBeVisible();

  // Selected words become the quote.
  await page.keyboard.press("Escape");
  await press(page, "Закрыть").catch(() => {});
  await page.getByText("Переменная связывает").dblclick();
  await press(page, "Спросить об этом");
  await expect(card(page)).toContainText("К фрагменту:");
  await editor(page, "Ваш вопрос").waitFor();
  await page.keyboard.type("Как связывает?");
  await press(page, "Спросить");
  await toSection(page);
  await expect(row(page, "Как связывает?")).toBeVisible();
});

test("an unsent question survives a reload, and goes out when the network is back", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  const { page, context } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  await toSection(page);
  await section(page).getByRole("button", { name: "Задать вопрос" }).click();
  await editor(page, "Ваш вопрос").waitFor();
  await page.keyboard.type("Чем отличается от const?");
  await page.reload();
  await toSection(page);
  await section(page).getByRole("button", { name: "Черновик: Чем отличается от const?" }).click();
  await expect(editor(page, "Ваш вопрос")).toContainText("Чем отличается от const?");
  await context.setOffline(true);
  await expect(section(page)).toContainText("Написанное останется на этом устройстве");
  await expect(page.getByRole("button", { name: "Спросить", exact: true })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await context.setOffline(false);
  await press(page, "Спросить");
  await expect(thread(page, "Чем отличается от const?")).toBeVisible();
  await page.reload();
  await toSection(page);
  await expect(section(page).getByRole("button", { name: "Задать вопрос" })).toBeVisible();
});

test("an address names a question or one of its answers; one that is gone is told", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  const id = await askQuestion(world, world.other, "Первый вопрос?");
  await askQuestion(world, world.other, "Второй вопрос?");
  const answer = await answerQuestion(world, world.owner, id, "Первый ответ.");
  const { page } = await tabFor(world.learner);
  for (const wanted of [id, answer]) {
    await openPage(page, world.pageId, `?question=${wanted}`);
    await expect(thread(page, "Первый вопрос?")).toBeInViewport();
    await expect(thread(page, "Первый вопрос?")).toContainText("Первый ответ.");
    // The focus is where the address leads.
    const target =
      wanted === id
        ? section(page).getByRole("button", { name: "Свернуть вопрос" })
        : thread(page, "Первый вопрос?").getByRole("listitem");
    await expect(target).toBeFocused();
  }
  await openPage(page, world.pageId, "?question=01900000-0000-7000-8000-000000000000");
  await expect(section(page)).toContainText("Вопрос удалён, или у вас нет к нему доступа.");
});

test("a question to the teachers alone stays with them, and anonymous ones have no name", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  await setQuestions(world, { allowsAnonymous: true });
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  await toSection(page);
  await section(page).getByRole("button", { name: "Задать вопрос" }).click();
  await editor(page, "Ваш вопрос").waitFor();
  await page.keyboard.type("Можно пересдать?");
  await page.getByRole("checkbox", { name: "Спросить только преподавателей" }).check();
  await expect(page.getByRole("checkbox", { name: "Скрыть моё имя" })).toBeHidden();
  await press(page, "Спросить");
  await expect(thread(page, "Можно пересдать?")).toContainText("Только преподавателям");

  await section(page).getByRole("button", { name: "Задать вопрос" }).click();
  await editor(page, "Ваш вопрос").waitFor();
  await page.keyboard.type("Глупый вопрос?");
  await page.getByRole("checkbox", { name: "Скрыть моё имя" }).check();
  await press(page, "Спросить");
  await expect(thread(page, "Глупый вопрос?")).toBeVisible();

  const other = await tabFor(world.other);
  await openPage(other.page, world.pageId);
  await toSection(other.page);
  await expect(row(other.page, "Глупый вопрос?")).toContainText("Аноним");
  await expect(row(other.page, "Можно пересдать?")).toHaveCount(0);
  const teacher = await tabFor(world.owner);
  await openPage(teacher.page, world.pageId);
  await toSection(teacher.page);
  await expect(row(teacher.page, "Можно пересдать?")).toBeVisible();
  await expect(row(teacher.page, "Глупый вопрос?")).toContainText(world.learner.fullName);
});

test("a learner reports an answer, and the teacher hides it with a reason", async ({ server, tabFor }) => {
  const world = await createQuestioned(server);
  const id = await askQuestion(world, world.learner, "Где почитать ещё?");
  await answerQuestion(world, world.other, id, "Купите мой курс!");
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId, `?question=${id}`);
  await page.getByRole("button", { name: /^Действия: Борисов/ }).click();
  await page.getByRole("menuitem", { name: "Пожаловаться…" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Причина" }).fill("Реклама");
  await press(page, "Отправить жалобу");
  await expect(page.getByText("Жалоба отправлена преподавателям курса.")).toBeVisible();

  const teacher = await tabFor(world.owner);
  await openPage(teacher.page, world.pageId, `?question=${id}`);
  await expect(thread(teacher.page, "Где почитать ещё?")).toContainText(/1\sжалоба/);
  await expect(thread(teacher.page, "Где почитать ещё?")).toContainText("Реклама");
  await expectAccessibleEverywhere(teacher.page, "questions: reported");
  await teacher.page.getByRole("button", { name: /^Действия: Борисов/ }).click();
  await teacher.page.getByRole("menuitem", { name: "Скрыть…" }).click();
  await teacher.page.getByRole("dialog").getByRole("textbox", { name: "Причина" }).fill("Реклама в ответах");
  await press(teacher.page, "Скрыть");
  await expect(thread(teacher.page, "Где почитать ещё?")).toContainText("Скрыто: Реклама в ответах");
  await expect(thread(page, "Где почитать ещё?")).not.toContainText("Купите мой курс!");
  const author = await tabFor(world.other);
  await openPage(author.page, world.pageId, `?question=${id}`);
  await expect(thread(author.page, "Где почитать ещё?")).toContainText(
    "Скрыто преподавателем: Реклама в ответах",
  );
});

test("the teacher pins, locks and moves a question; its author deletes one and takes that back", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  const id = await askQuestion(world, world.learner, "Это про другую страницу?");
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId, `?question=${id}`);
  await page.getByRole("button", { name: /^Действия: Ёлкина/ }).click();
  await page.getByRole("menuitem", { name: "Удалить" }).click();
  await expect(thread(page, "Это про другую страницу?")).toBeHidden();
  await press(page, "Отменить");
  await expect(row(page, "Это про другую страницу?")).toBeVisible();

  const teacher = await tabFor(world.owner);
  await openPage(teacher.page, world.pageId, `?question=${id}`);
  const act = async (name: string) => {
    await press(teacher.page, "Действия с вопросом");
    await teacher.page.getByRole("menuitem", { name }).click();
  };
  await act("Закрепить");
  await expect(row(page, "Это про другую страницу?")).toContainText("Закреплено");
  await act("Закрыть для ответов");
  await row(page, "Это про другую страницу?").click();
  await expect(thread(page, "Это про другую страницу?")).toContainText("Вопрос закрыт для ответов.");
  await expect(page.getByRole("button", { name: "Написать ответ" })).toHaveCount(0);
  await act("Перенести на другую страницу…");
  await teacher.page.getByRole("dialog").getByRole("searchbox").fill("владение");
  await teacher.page.getByRole("button", { name: /^Владение и заимствование/ }).click();
  await expect(teacher.page.getByText("Вопрос перенесён на страницу")).toBeVisible();
  await page.goto(`/view-page/${world.otherPageId}?question=${id}`);
  await expect(thread(page, "Это про другую страницу?")).toContainText("Перенесено с другой страницы");
});

test("everything works by keyboard and on a phone", async ({ server, tabFor }) => {
  const world = await createQuestioned(server);
  const id = await askQuestion(world, world.other, "Что значит изменяемая?", { block: 2 });
  await answerQuestion(world, world.owner, id, "Её значение можно сменить.");
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  const ask = page.getByRole("button", { name: /^Спросить о\sблоке 1:/ });
  await tabTo(page, ask);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(editor(page, "Ваш вопрос")).toBeFocused();
  await page.keyboard.type("Совсем нельзя?");
  await page.keyboard.press("Control+Enter");
  await expect(card(page).getByRole("article", { name: /Совсем нельзя/ })).toBeVisible();

  await resize(page, { width: 360, height: 740 });
  await openPage(page, world.pageId, `?question=${id}`);
  await expect(thread(page, "Что значит изменяемая?")).toBeVisible();
  await expectNoHorizontalScroll(page, "questions on a phone");
  await section(page).getByRole("button", { name: "Задать вопрос" }).click();
  await editor(page, "Ваш вопрос").waitFor();
  await expectNoHorizontalScroll(page, "asking on a phone");
  await expectAccessibleEverywhere(page, "questions: section");
  await page.getByRole("button", { name: /^1\sоткрытый вопрос к\sблоку 3$/ }).click();
  await expect(card(page)).toBeInViewport();
  await expectNoHorizontalScroll(page, "the card on a phone");
});

test("nothing is shown where questions are off", async ({ server, tabFor }) => {
  const world = await createQuestioned(server);
  await askQuestion(world, world.other, "Ещё видно?", { block: 1 });
  await setQuestions(world, { isOn: false });
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  await page.waitForLoadState("networkidle");
  await page.mouse.wheel(0, 5000);
  await expect(section(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Спросить/ })).toHaveCount(0);
});

test("hundreds of answers are read in parts, and a notice leads to its answer", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  const asked = await askQuestion(world, world.learner, "Сколько ответов поместится?");
  const texts = Array.from({ length: 230 }, (_, number) => `Ответ номер ${number + 1}.`);
  const ids = await answerOften(world, world.owner, asked, texts);
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId, `?question=${ids[119]}`);
  const all = thread(page, "Сколько ответов поместится?");
  const answers = all.getByRole("listitem");
  // The window with the answer, which has the focus.
  await expect(answers.filter({ hasText: "Ответ номер 120." })).toBeFocused();
  await expect(answers).toHaveCount(50);
  await expect(answers.first()).toContainText("Ответ номер 101.");
  await expect(all).toContainText("230 ответов");
  await all.getByRole("button", { name: "Предыдущие ответы (100)" }).click();
  await expect(answers.first()).toContainText("Ответ номер 51.");
  await expect(answers).toHaveCount(100);
  await all.getByRole("button", { name: "К последним ответам" }).click();
  await expect(answers.last()).toContainText("Ответ номер 230.");
  await expect(answers).toHaveCount(30);
  await expectAccessibleEverywhere(page, "a part of many answers");

  // What is written now appears at the end, and one's own answer is shown from anywhere.
  await answerQuestion(world, world.other, asked, "Ответ номер 231.");
  await expect(answers.last()).toContainText("Ответ номер 231.");
  await all.getByRole("button", { name: "Предыдущие ответы (200)" }).click();
  await all.getByRole("button", { name: "Предыдущие ответы (150)" }).click();
  await expect(answers.first()).toContainText("Ответ номер 101.");
});
