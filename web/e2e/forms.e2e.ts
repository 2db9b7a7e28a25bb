import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { admin, type Server } from "../../scripts/server.mjs";
import { guardedForms, sources } from "../src/testing/guardedForms.ts";
import { FORMS, press } from "./all-forms.ts";
import { createCourse, signUp } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import type { Form, World } from "./grade-forms.ts";
import { endSessionElsewhere, field, openUserMenu, signIn } from "./ui.ts";

test.describe.configure({ mode: "parallel" });

const question = (page: Page) => page.getByRole("dialog", { name: "Введённое не сохранено" });

async function createWorld(server: Server): Promise<World> {
  const author = await signUp(server);
  const courseId = await createCourse(server, author, "Основы", { Модуль: { Урок: ["Страница"] } });
  const query = "query ($id: ID!) { course(id: $id) { modules { lessons { id pages { id } } } } }";
  const { course } = await graphql(server.url, author.token, query, { id: courseId });
  const [lesson] = course.modules[0].lessons;
  const { createPage } = await graphql(
    server.url,
    author.token,
    "mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }",
    { input: { lessonId: lesson.id, title: "Тест", kind: "QUIZ", published: false } },
  );
  return { author, courseId, pageId: lesson.pages[0].id, quizId: createPage.page.id };
}

test("every form of the web app is walked through", () => {
  const names = new Set(sources.flatMap(({ text }) => guardedForms(text)));
  // The text of a bank question is a draft on this device instead of a guarded form.
  for (const draft of ["bank-new-question", "bank-question"]) names.add(draft);
  // practice.e2e.ts covers this form, because questions become due only after a day.
  names.delete("practice");
  expect(Object.keys(FORMS).sort()).toEqual([...names].sort());
});

for (const [name, form] of Object.entries<Form>(FORMS)) {
  const { open, field: textField, typed, leave, reopen, by = "author", isSecret } = form;

  test(`the form ${name} asks before its text is lost, and keeps it over the end of the session`, async ({
    server,
    newTab,
    tabFor,
  }) => {
    const world = await createWorld(server);
    const person = by === "superuser" ? admin : world.author;
    const tab = by === "visitor" ? await newTab() : await tabFor(person);
    const { page } = tab;
    await open(page, world);
    const text = textField(page);
    await text.fill(typed);

    const ways: (() => Promise<unknown>)[] = leave
      ? [() => leave(page)]
      : [() => page.keyboard.press("Escape"), () => page.mouse.click(3, 3)];
    for (const way of ways) {
      await way();
      await question(page).getByRole("button", { name: "Вернуться" }).click();
      await expect(question(page)).toHaveCount(0);
      await reopen?.(page);
      await expect(text).toHaveValue(typed);
    }

    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();

    if (leave && by !== "visitor") {
      await page.getByRole("button", { name: /Аккаунт|Иванова|admin@/ }).click();
      await page.getByRole("menuitem", { name: "Выйти" }).click();
      await question(page).getByRole("button", { name: "Вернуться" }).click();
      await reopen?.(page);
      await expect(text).toHaveValue(typed);
    }

    if (by !== "visitor") {
      await endSessionElsewhere(tab.context);
      await page.waitForURL((url) => url.pathname === "/login");
      await signIn(page, person.email, person.password);
      await expect(page.getByRole("navigation").first()).toBeVisible();
      await open(page, world);
      if (isSecret) await expect(text).toHaveValue("");
      else await expect(text).toHaveValue(typed);
      await text.fill(typed);
    }

    await ways[0]?.();
    await question(page).getByRole("button", { name: "Не сохранять" }).click();
    await expect(text).toHaveCount(0);
  });
}

test("a screen with a form in which nothing was typed closes without a question", async ({
  server,
  tabFor,
}) => {
  const { page } = await tabFor(await signUp(server));
  await page.goto("/");
  const code = field(page, "Код курса");
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  // The browser asks only after the person has done something on the page.
  await code.click();
  await page.reload();
  await expect(code).toBeVisible();
  expect(questions).toEqual([]);
  await code.fill("ABCD-EFGH");
  await page.reload();
  await expect(code).toHaveValue("");
  expect(questions).toEqual(["beforeunload"]);
});

test("text typed while a dialog is being saved stays in it, and is saved with the next click", async ({
  server,
  tabFor,
}) => {
  const { author, courseId } = await createWorld(server);
  const { page } = await tabFor(author);
  await page.goto(`/edit-course/${courseId}`);
  await FORMS["module-description"].open(page, { author, courseId, pageId: "", quizId: "" });
  const text = FORMS["module-description"].field(page);
  await text.fill("Первое");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes("ChangeModule")) await held;
    await route.continue();
  });
  const save = page.getByRole("dialog").getByRole("button", { name: "Сохранить" });
  await save.click();
  await text.press("End");
  await text.pressSequentially(" и второе");
  answer();
  await expect(page.getByText("Успешно!")).toBeVisible();
  await expect(text).toHaveValue("Первое и второе");
  await save.click();
  await expect(text).toHaveCount(0);
  await page.reload();
  await FORMS["module-description"].open(page, { author, courseId, pageId: "", quizId: "" });
  await expect(text).toHaveValue("Первое и второе");
});

test("nothing can be typed into a form that creates something while it is being saved", async ({
  server,
  tabFor,
}) => {
  const { author } = await createWorld(server);
  const { page } = await tabFor(author);
  await page.goto("/");
  await press(page, "Создать курс");
  const title = page.getByRole("dialog").getByRole("textbox");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes("CreateCourse")) await held;
    await route.continue();
  });
  await title.fill("Новый курс");
  await title.press("Enter");
  await title.pressSequentially(" слова");
  await expect(title).toHaveValue("Новый курс");
  answer();
  await expect(page.getByRole("heading", { level: 1, name: "Новый курс" })).toBeVisible();
});

test("signing out without a network asks about typed text, even before the code for it was ever used", async ({
  server,
  tabFor,
}) => {
  const { author, courseId } = await createWorld(server);
  const { page, context } = await tabFor(author);
  await page.clock.install();
  await page.goto(`/edit-course/${courseId}?tab=settings`);
  const text = FORMS["course-texts"].field(page);
  await text.fill("О чём этот курс");
  // The code is loaded some seconds after the screen.
  await page.clock.fastForward(10_000);
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await openUserMenu(page, "Иванова");
  await page.getByRole("menuitem", { name: "Выйти" }).click();
  await question(page).getByRole("button", { name: "Вернуться" }).click();
  await expect(text).toHaveValue("О чём этот курс");
});
