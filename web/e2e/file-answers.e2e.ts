import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { add, box, test as builderTest, savedState, storedQuiz, write } from "./builder.ts";
import { createClassroom } from "./classroom.ts";
import { type ChosenFile, fileQuiz, pdf, picture, submitFiles } from "./file-answers.ts";
import { expect, test, viewports } from "./fixtures.ts";

const narrow = { width: 360, height: 740 };
const files = (page: Page) => page.getByRole("list", { name: "Приложенные файлы" }).getByRole("listitem");
const remove = (page: Page, name: string) => page.getByRole("button", { name: `Убрать: ${name}` });
const submit = (page: Page) => page.getByRole("button", { name: "Отправить ответы" });
const answer = (page: Page) => page.getByRole("region", { name: "Ответ ученика" });

/** Chooses files in the dialog of the browser. */
async function choose(page: Page, ...chosen: ChosenFile[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /^Выбрать файл/ }).click();
  await (await chooser).setFiles(chosen);
}

async function expectAccessibleOnPhone(page: Page, screen: string): Promise<void> {
  await resize(page, narrow);
  await expectAccessibleInBothThemes(page, screen);
  await expectNoHorizontalScroll(page, screen);
  await resize(page, viewports.desktop);
}

/** Lets the uploads pass only when `release` is called, or breaks them off. */
async function holdUploads(page: Page) {
  const held: (() => Promise<void>)[] = [];
  let isBroken = false;
  await page.route("**/upload_answer_file/**", async (route) => {
    if (isBroken) return route.abort("internetdisconnected");
    await new Promise<void>((resolve) => {
      held.push(async () => resolve());
    });
    await route.continue().catch(() => undefined);
  });
  return {
    release: async () => {
      for (const one of held.splice(0)) await one();
    },
    breakOff: () => {
      isBroken = true;
    },
    stop: () => page.unroute("**/upload_answer_file/**"),
  };
}

builderTest(
  "an author asks for files, a learner hands them in, a teacher grades them, and the learner sees the points",
  async ({ draftId, classroom, openBuilder, tabFor }) => {
    const author = await openBuilder(draftId);
    await add(author, "Ответ файлами");
    await write(box(author, "Вопрос"), "Приложите отчёт и снимок экрана.");
    await box(author, "Файлов не больше").fill("3");
    await author.getByRole("button", { name: "Документы", exact: true }).click();
    await author.getByRole("button", { name: "Изображения", exact: true }).click();
    await author.getByRole("button", { name: "Убрать: .heic" }).click();
    await box(author, "Другие расширения").fill(".DWG");
    await box(author, "Другие расширения").press("Enter");
    await author.getByRole("button", { name: "Добавить указания проверяющим" }).click();
    await write(author.getByRole("textbox", { name: /^Указания проверяющим/ }), "Смотрите на выводы");
    await box(author, "Баллы").fill("5");
    await box(author, "Баллы").blur();
    await expect(savedState(author)).toBeVisible();
    await expectAccessibleOnPhone(author, "a question that takes files, in the builder");
    const [question] = (await storedQuiz(classroom, draftId)).questions;
    expect(question).toMatchObject({ type: "file_upload", max_files: 3, points: 5 });
    expect(question.extensions).toEqual("pdf doc docx odt rtf txt png jpg jpeg webp gif dwg".split(" "));

    await author.getByRole("button", { name: "Пройти как ученик" }).click();
    await choose(author, pdf("Проба.pdf"));
    await expect(remove(author, "Проба.pdf")).toBeVisible();
    await author.getByRole("button", { name: "Проверить ответы" }).click();
    await expect(author.getByText("У ученика баллы за них поставит человек.")).toBeVisible();
    await expect(author.getByRole("link", { name: /Проба\.pdf/ })).toBeVisible();
    await publish(classroom, draftId);

    const { page } = await tabFor(classroom.learner);
    await page.goto(`/view-page/${draftId}`);
    await expect(page.getByText("Можно приложить до 3 файлов")).toBeVisible();
    await choose(page, pdf("Отчёт.pdf"), await picture("Снимок.png"), pdf("Запись.mp3"));
    await expect(page.getByText(/Не подходит: «Запись\.mp3»/)).toBeVisible();
    await expect(files(page)).toHaveCount(2);
    await expect(remove(page, "Отчёт.pdf")).toBeVisible();
    await expect(remove(page, "Снимок.png")).toBeVisible();
    await expectAccessibleOnPhone(page, "a question with chosen files and a refused one");
    await choose(page, pdf("Черновик.pdf"));
    await expect(page.getByText("Чтобы приложить другой файл, сначала уберите лишний.")).toBeVisible();
    await remove(page, "Черновик.pdf").click();
    await expect(files(page)).toHaveCount(2);
    await page.reload();
    await expect(files(page)).toHaveCount(2);
    await submit(page).click();
    await expect(
      page.getByRole("heading", { name: "Ответы приняты, их проверит преподаватель" }),
    ).toBeFocused();
    const waiting = page.locator("section").filter({ hasText: "Приложите отчёт" });
    await expect(waiting).toContainText("ждёт проверки");
    await expect(waiting.getByRole("link")).toHaveCount(2);
    await expect.poll(() => widthOfImage(page)).toBeGreaterThan(0);
    await expectAccessibleOnPhone(page, "files that wait for grading");
    const download = await page.request.get(
      (await waiting.getByRole("link", { name: /Отчёт\.pdf/ }).getAttribute("href")) ?? "",
    );
    expect(download.ok()).toBe(true);
    expect(await download.body()).toEqual(pdf("").buffer);

    const teacher = (await tabFor(classroom.owner)).page;
    await teacher.goto(`/edit-course/${classroom.courseId}?tab=grading`);
    await expect(teacher.getByText(/F\s— открыть первый файл/)).toBeVisible();
    await teacher.getByRole("button", { name: "Начать проверку" }).click();
    await expect(answer(teacher).getByRole("link")).toHaveCount(2);
    await expect(answer(teacher)).toContainText("Отчёт.pdf");
    await expect(teacher.getByText("Смотрите на выводы")).toBeVisible();
    await expect.poll(() => widthOfImage(teacher)).toBeGreaterThan(0);
    await expectAccessibleOnPhone(teacher, "an answer with files in the queue");
    const opened = teacher.waitForEvent("popup");
    await teacher.getByRole("textbox", { name: /^Баллы, из/ }).press("f");
    await (await opened).close();
    await teacher.getByRole("textbox", { name: /^Баллы, из/ }).fill("4");
    await teacher.getByRole("textbox", { name: /^Баллы, из/ }).press("Control+Enter");
    await expect(teacher.getByRole("heading", { name: "Всё проверено" })).toBeVisible();

    await teacher.goto(`/edit-course/${classroom.courseId}?tab=students`);
    await teacher.getByRole("link", { name: classroom.learner.fullName }).first().click();
    await teacher.getByRole("button", { name: /^Попытка 1/ }).click();
    await expect(teacher.getByRole("dialog").getByRole("link", { name: /Отчёт\.pdf/ })).toBeVisible();
    await expectAccessibleOnPhone(teacher, "the files of an attempt");

    await page.reload();
    await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
    await expect(waiting).toContainText("4 из 5 баллов");
    await expectAccessibleOnPhone(page, "graded files");
  },
);

test("uploads show their progress, survive a broken connection one by one, and hold the submission and the screen", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, fileQuiz);
  const { page, consoleErrors } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.quizId}`);
  const uploads = await holdUploads(page);
  await choose(page, pdf("Первый.pdf"));
  await expect(page.getByRole("progressbar", { name: "Загрузка: Первый.pdf" })).toBeVisible();
  await submit(page).click();
  await expect(page.getByText(/Отправьте ответы, когда загрузка закончится/)).toBeVisible();
  await expectAccessibleOnPhone(page, "a file that is being uploaded");

  await page.getByRole("link", { name: "Kurso" }).first().click();
  const question = page.getByRole("dialog", { name: "Файлы ещё загружаются" });
  await question.getByRole("button", { name: "Остаться" }).click();
  await expect(page.getByText("Отчёт о лабораторной").or(submit(page)).first()).toBeVisible();

  uploads.breakOff();
  await choose(page, pdf("Второй.pdf"));
  const retry = page.getByRole("button", { name: "Повторить загрузку: Второй.pdf" });
  await expect(retry).toBeVisible();
  await uploads.release();
  await expect(remove(page, "Первый.pdf")).toBeVisible();
  await expectAccessibleOnPhone(page, "a file that could not be uploaded");
  await submit(page).click();
  await expect(page.getByText(/Не все файлы загрузились/)).toBeVisible();
  await uploads.stop();
  await retry.press("Enter");
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await expect(files(page)).toHaveCount(2);
  await expect(retry).toHaveCount(0);
  await submit(page).click();
  await expect(page.getByRole("heading", { name: /^Ответы приняты/ })).toBeVisible();
  // The browser reports the connection that the test broke off.
  consoleErrors.splice(
    0,
    Infinity,
    ...consoleErrors.filter((error) => !error.includes("ERR_INTERNET_DISCONNECTED")),
  );
});

const widthOfImage = (page: Page) =>
  page
    .getByRole("main")
    .locator("img")
    .first()
    .evaluate((image: HTMLImageElement) => image.naturalWidth);

async function publish(
  { server, owner }: { server: { url: string }; owner: { token: string } },
  pageId: string,
) {
  const answer = await fetch(`${server.url}/api/v1/courses/update_page/${pageId}`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${owner.token}` },
    body: JSON.stringify({ published: true }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

test("an upload after the last attempt was used in another tab shows that there is none left", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, { ...fileQuiz, max_attempts: 1 });
  const tab = await tabFor(classroom.learner);
  const { page } = tab;
  await page.goto(`/view-page/${classroom.quizId}`);
  await expect(submit(page)).toBeVisible();
  await submitFiles(classroom, classroom.learner, [pdf("Отчёт.pdf")]);
  await choose(page, pdf("Ещё отчёт.pdf"));
  await expect(files(page).first()).toContainText("Ещё отчёт.pdf");
  await expect(page.getByText("Попыток больше нет").first()).toBeVisible();
  await expect(submit(page)).toHaveCount(0);
  await page.getByRole("button", { name: "К результатам" }).click();
  await expect(page.getByRole("link", { name: /Отчёт\.pdf/ })).toBeVisible();
  // The refusal is a failed request.
  tab.consoleErrors.length = 0;
});
