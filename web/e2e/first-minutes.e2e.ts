import { zip } from "../../scripts/zip.mjs";
import { enroll, signUp, visit } from "./api.ts";
import { changeQuiz, createClassroom, ids } from "./classroom.ts";
import { row, storedOutline } from "./course-outline.ts";
import { expect, test } from "./fixtures.ts";
import { question } from "./quiz-keyboard.ts";
import { field, scrollToEnd } from "./ui.ts";
import { walk } from "./walk.ts";

// The first ten minutes of a learner, an author and a teacher.

test("a learner with a link signs up, is in the course and reads, without typing the code, in six actions", async ({
  server,
  newTab,
}) => {
  const classroom = await createClassroom(server);
  const { page } = await newTab();
  const { act, photograph, actions } = walk(page, "learner");
  await page.goto(`/?code=${classroom.shareCode}`);
  await page.waitForURL((url) => url.pathname === "/login");
  await expect(page.getByText(/^Вас пригласили на курс\./)).toBeVisible();
  await photograph();
  await act(page.getByRole("link", { name: "Нет аккаунта? Зарегистрироваться" }).click());
  const account = { email: `gost-${Date.now()}@example.com`, password: "очень-тайный-пароль" };
  const typed = { Фамилия: "Белова", Имя: "Ольга", Отчество: "Игоревна", Email: account.email };
  for (const [label, value] of Object.entries(typed)) await field(page, label).fill(value);
  await field(page, "Пароль").fill(account.password);
  await field(page, "Подтверждение пароля").fill(account.password);
  await photograph();
  await act(page.getByRole("button", { name: "Зарегистрироваться" }).click());
  await page.waitForURL((url) => url.pathname === "/login");
  await expect(field(page, "Email")).toHaveValue(account.email);
  await field(page, "Пароль").fill(account.password);
  await act(page.getByRole("button", { name: "Войти" }).click());
  await expect(page.getByRole("heading", { name: /пригласили/ })).toBeVisible();
  await expect(page.getByText("Аккаунт создан. Теперь войдите.")).toHaveCount(0);
  await photograph();
  await act(page.getByRole("main").getByRole("button", { name: "Записаться" }).click());
  await page.waitForURL((url) => url.pathname === `/view-course/${classroom.courseId}`);
  await photograph();
  await act(page.getByRole("main").getByRole("link", { name: "Начать" }).click());
  await expect(page.getByRole("heading", { level: 1, name: "Переменные" })).toBeVisible();
  await scrollToEnd(page);
  await photograph();
  await act(page.getByRole("link", { name: /^Дальше/ }).click());
  await page.waitForURL((url) => url.pathname === `/view-page/${classroom.quizId}`);
  expect(actions()).toBe(6);
});

test("an author has a Word file as a published course of lessons in five actions", async ({
  server,
  tabFor,
}) => {
  const author = await signUp(server);
  const { page } = await tabFor(author);
  const { act, photograph, actions } = walk(page, "author");
  await page.goto("/");
  await photograph();
  await act(page.getByRole("link", { name: "Импортировать курс" }).click());
  const file = { name: "Основы Rust.docx", mimeType: "application/octet-stream", buffer: wordFile() };
  await act(page.getByLabel("Выбрать файл").last().setInputFiles(file));
  await expect(page.getByText("Файл прочитан.")).toBeVisible();
  await photograph();
  await act(page.getByLabel("Что начинают заголовки").selectOption("1-й уровень — уроки, 2-й — страницы"));
  await expect(page.getByRole("list", { name: "Что нашлось" })).toHaveText(/2.урока\s*3.страницы/);
  await photograph();
  await act(page.getByRole("button", { name: "Создать курс" }).click());
  await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
  await expect(row(page, "Урок «Владение»")).toBeVisible();
  await photograph();
  await act(page.getByRole("button", { name: /^Опубликовать всё/ }).click());
  const id = new URL(page.url()).pathname.split("/")[2] ?? "";
  await expect
    .poll(async () => (await storedOutline(server, author, id)).slice(1))
    .toEqual(["  Начало", "    Установка", "    Запуск", "  Владение", "    Правила"]);
  await photograph();
  expect(actions()).toBe(5);
});

test("a teacher on Monday sees who was here and who is stuck, and gives one more attempt, in four actions", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server);
  await changeQuiz(classroom, {
    pass_percent: 60,
    max_attempts: 1,
    questions: [
      {
        id: ids.single,
        type: "single_choice",
        prompt: "Что печатает программу на экран?",
        options: [{ content: "println!", correct: true }, { content: "read_line" }],
      },
    ],
  });
  for (const name of ["Борисов Борис Борисович", "Ёлкина Ольга Петровна"]) {
    const learner = await signUp(server, name);
    await enroll(server, learner, classroom.shareCode);
    await visit(server, learner, classroom.pages[0]);
  }
  const learner = await tabFor(classroom.learner);
  await learner.page.goto(`/view-page/${classroom.quizId}`);
  await question(learner.page, "single").getByLabel("read_line").check();
  await learner.page.getByRole("button", { name: "Отправить ответы" }).click();
  await learner.page.getByRole("button", { name: "Да, отправить" }).click();
  await expect(learner.page.getByText(/Преподаватель может дать ещё одну/)).toBeVisible();

  const { page } = await tabFor(classroom.owner);
  const { act, photograph, actions } = walk(page, "teacher");
  await page.goto("/");
  await photograph();
  await act(
    page
      .getByRole("main")
      .getByRole("link", { name: /Основы Rust/ })
      .first()
      .click(),
  );
  await act(page.getByRole("link", { name: "Ученики" }).first().click());
  const live = page.getByRole("region", { name: "Прямо сейчас" });
  await expect(live.getByText(classroom.learner.fullName).first()).toBeVisible();
  await photograph();
  await act(page.getByRole("table").getByRole("link", { name: classroom.learner.fullName }).click());
  await expect(page.getByRole("button", { name: /^Попытка 1/ })).toBeVisible();
  await photograph();
  await act(page.getByRole("button", { name: "Дать ещё попытку" }).click());
  await expect(page.getByText("Успешно!")).toBeVisible();
  await photograph();
  expect(actions()).toBe(4);
});

/** A text of two lessons with three pages as Word stores it: its headings are known by their outline level. */
function wordFile(): Buffer {
  const line = (text: string, level?: number) =>
    `<w:p>${level === undefined ? "" : `<w:pPr><w:outlineLvl w:val="${level}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
  const body = [
    line("Начало", 0),
    line("Установка", 1),
    line("Скачайте rustup и запустите его."),
    line("Запуск", 1),
    line("Наберите cargo run."),
    line("Владение", 0),
    line("Правила", 1),
    line("У каждого значения один владелец."),
  ].join("");
  const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const packages = "http://schemas.openxmlformats.org/package/2006";
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
  return zip([
    [
      "[Content_Types].xml",
      `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
    ],
    [
      "_rels/.rels",
      `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relation}" Target="word/document.xml"/></Relationships>`,
    ],
    ["word/document.xml", `${xml}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`],
  ]);
}
