import type { Page } from "@playwright/test";
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { add, box, savedState, storedQuiz, test, write } from "./builder.ts";
import { changeQuiz, quizState } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { clickOn, dragOn, hotspotIds, hotspotQuiz, structure } from "./hotspots.ts";
import { tabTo } from "./ui.ts";

const phone = { width: 360, height: 740 };
const plain = (text: string | null) => (text ?? "").replace(/\s/g, " ");
const question = (page: Page, kind: keyof typeof hotspotIds) => page.locator(`#question-${hotspotIds[kind]}`);
const surface = (page: Page, kind: keyof typeof hotspotIds) =>
  question(page, kind).getByRole("application", { name: "Поле для отметок" });

/** Begins a hotspot question with its prompt and picture. */
async function begin(page: Page): Promise<void> {
  await add(page, "Область на изображении");
  await write(page.getByRole("textbox", { name: "Вопрос", exact: true }), "Где на схеме курс?");
  await page.getByLabel("Выбрать изображение").setInputFiles(await structure());
  await expect(page.locator("[data-surface]")).toBeVisible();
  await box(page, "Описание изображения").fill("Схема курса");
}

test("an author uploads a picture and draws, moves and removes zones with the mouse", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  const zones = async () => (await storedQuiz(classroom, draftId)).questions[0]?.zones;
  await add(page, "Область на изображении");
  await page.getByRole("button", { name: "Число", exact: true }).click();
  await page.getByRole("button", { name: /^1\./ }).click();
  // A question that was left tells what it lacks.
  await expect(page.getByText("Добавьте изображение")).toBeVisible();
  await expectAccessible(page, "a hotspot question without a picture");
  await page.getByRole("button", { name: "Удалить вопрос" }).click();
  await page.getByRole("button", { name: /^1\./ }).click();
  await page.getByRole("button", { name: "Удалить вопрос" }).click();

  await begin(page);
  const picture = page.locator("[data-surface]");
  await dragOn(page, picture, [20, 10], [50, 30]);
  const first = page.getByRole("button", { name: /^Область 1/ });
  await expect(first).toHaveAttribute("aria-expanded", "true");
  await expect.poll(zones).toMatchObject([{ shape: "rectangle" }]);
  const [drawn] = await zones();
  expect(drawn.x).toBeCloseTo(20, 0);
  expect(drawn.width).toBeCloseTo(30, 0);

  await dragOn(page, picture, [35, 20], [45, 40]);
  await expect.poll(async () => Math.round((await zones())[0].x)).toBe(30);
  expect((await zones())[0].y).toBeCloseTo(30, 0);

  await page.getByRole("button", { name: "Многоугольник" }).click();
  for (const [x, y] of [
    [10, 60],
    [30, 60],
    [20, 90],
  ] as const)
    await clickOn(page, picture, x, y);
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await zones()).map(({ shape }: { shape: string }) => shape))
    .toEqual(["rectangle", "polygon"]);
  await page.getByRole("button", { name: "Эллипс" }).click();
  await clickOn(page, picture, 80, 80);
  await expect.poll(async () => (await zones()).length).toBe(3);
  await expectAccessibleEverywhere(page, "the editor of zones");
  await resize(page, phone);
  await expectAccessible(page, "the editor of zones at 360 px");
  await expectNoHorizontalScroll(page, "the editor of zones at 360 px");

  await page.getByRole("button", { name: "Убрать: Область 2" }).click();
  await expect.poll(async () => (await zones()).length).toBe(2);
  await page.getByText("Отменить", { exact: true }).last().click();
  await expect
    .poll(async () => (await zones()).map(({ shape }: { shape: string }) => shape))
    .toEqual(["rectangle", "polygon", "ellipse"]);
  await expect(savedState(page)).toBeVisible();
  await page.getByRole("switch").click();
  await expect(page.getByRole("switch")).toBeChecked();
});

test("zones are made with the keyboard alone, and the question is tried out", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  const { keyboard } = page;
  await begin(page);
  const stored = async () => (await storedQuiz(classroom, draftId)).questions[0];
  await tabTo(page, page.getByRole("button", { name: "Добавить область" }));
  await keyboard.press("Enter");
  const zone = page.getByRole("button", { name: /^Область 1/ });
  await expect(zone).toBeFocused();
  for (const [name, value] of [
    ["Слева", "22"],
    ["Сверху", "6,5"],
    ["Ширина", "23"],
    ["Высота", "14"],
  ] as const) {
    await tabTo(page, box(page, name));
    await keyboard.press("Control+A");
    await keyboard.type(value);
  }
  await expect
    .poll(async () => (await stored()).zones)
    .toMatchObject([{ shape: "rectangle", x: 22, y: 6.5, width: 23, height: 14 }]);
  await zone.focus();
  await keyboard.press("ArrowRight");
  await keyboard.press("Shift+ArrowDown");
  await expect(page.getByText("Область 1: 23 % слева, 11,5 % сверху")).toBeAttached();
  await keyboard.press("Control+Z");
  await keyboard.press("Control+Z");
  await expect.poll(async () => (await stored()).zones).toMatchObject([{ x: 22, y: 6.5 }]);
  await page.getByRole("checkbox", { name: "Нужно отметить все области" }).press("Space");
  await expect.poll(async () => (await stored()).mark_all).toBe(true);
  await expect(savedState(page)).toBeVisible();

  await page.getByRole("button", { name: "Пройти как ученик" }).click();
  const asked = page.getByRole("application", { name: "Поле для отметок" });
  await clickOn(page, asked, 30, 12);
  await page.getByRole("button", { name: "Проверить ответы" }).click();
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  await expect(page.getByText("Верные области")).toBeVisible();
});

test("a learner marks places by mouse and by keyboard, and sees the right zones", async ({
  classroom,
  tabFor,
}) => {
  await changeQuiz(classroom, await hotspotQuiz(classroom));
  const { page } = await tabFor(classroom.learner);
  const { keyboard } = page;
  await page.goto(`/view-page/${classroom.quizId}`);
  await expect(page.getByRole("img", { name: /^Схема: курс/ }).first()).toBeVisible();
  await clickOn(page, surface(page, "one"), 30, 12);
  await expect(question(page, "one").getByRole("status")).toHaveText(/^Отметка 1: (29|30|31)/);
  // Another click moves the only mark.
  await clickOn(page, surface(page, "one"), 90, 90);
  await expect(question(page, "one").getByRole("button", { name: /^Отметка 1: (89|90)/ })).toBeVisible();
  await dragOn(page, surface(page, "one"), [90, 90], [30, 12]);
  await expect(question(page, "one").getByRole("button", { name: /^Отметка 1: (29|30|31)/ })).toBeVisible();

  // Leads from the first question to the second: the keyboard aims from the middle.
  await surface(page, "all").focus();
  await keyboard.press("Shift+ArrowUp");
  await keyboard.press("Shift+ArrowUp");
  await keyboard.press("Enter");
  const status = question(page, "all").getByRole("status");
  await expect.poll(async () => plain(await status.textContent())).toBe("Отметка 1: 50 % слева, 40 % сверху");
  for (let step = 0; step < 6; step += 1) await keyboard.press("Shift+ArrowLeft");
  await keyboard.press("Space");
  await expect(question(page, "all").getByText("Отмечено 2 из 2.")).toBeVisible();
  await keyboard.press("Tab");
  await expect(question(page, "all").getByRole("button", { name: /^Отметка 1/ })).toBeFocused();
  await keyboard.press("Delete");
  await expect(question(page, "all").getByText("Отмечено 1 из 2.")).toBeVisible();
  await expectAccessibleEverywhere(page, "a picture with marks");
  await resize(page, phone);
  await expectAccessible(page, "a picture with marks at 360 px");
  await expectNoHorizontalScroll(page, "a picture with marks at 360 px");

  // The marked places are kept on the device across a reload.
  await page.reload();
  await expect(question(page, "all").getByText("Отмечено 1 из 2.")).toBeVisible();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(page.getByText(/^Не до конца отвечен/)).toBeVisible();
  await page.getByRole("button", { name: "Всё равно отправить" }).click();
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  await expect(question(page, "one").getByText("верно", { exact: true })).toBeVisible();
  await expect(question(page, "all").getByText("Верные области")).toBeVisible();
  await expect(question(page, "all").getByText("Частично верно")).toBeVisible();
  await expectAccessibleEverywhere(page, "results with zones");
  expect((await quizState(classroom, classroom.learner)).attempts).toMatchObject([{ score: 2 }]);
});

test("nothing moves when the picture arrives late, and a finger marks and scrolls", async ({
  classroom,
  newTab,
}) => {
  await changeQuiz(classroom, await hotspotQuiz(classroom));
  const { page } = await newTab({ viewport: "phone", touch: true, token: classroom.learner.token });
  let arrive = () => {};
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/files/**", async (route) => {
    await late;
    await route.continue();
  });
  await page.goto(`/view-page/${classroom.quizId}`);
  const second = question(page, "all");
  await expect(second).toBeVisible();
  const before = await second.boundingBox();
  arrive();
  const picture = page.getByRole("img", { name: /^Схема: курс/ }).first();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1280);
  expect(await second.boundingBox()).toEqual(before);
  await surface(page, "one").tap({ position: { x: 100, y: 30 } });
  const mark = question(page, "one").getByRole("button", { name: /^Отметка 1:/ });
  await expect(mark).toBeVisible();
  await question(page, "one").getByRole("button", { name: "Убрать отметку 1" }).tap();
  await expect(mark).toHaveCount(0);
});

test("teachers see the time of each question in an attempt and in the analysis", async ({
  classroom,
  tabFor,
}) => {
  await changeQuiz(classroom, await hotspotQuiz(classroom));
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.quizId}`);
  await clickOn(page, surface(page, "one"), 30, 12);
  // Time is measured by the second.
  await page.waitForTimeout(2500);
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await page.getByRole("button", { name: "Всё равно отправить" }).click();
  await expect(page.getByRole("heading", { name: "Тест пока не пройден" })).toBeVisible();
  // Learners are not told.
  await expect(page.getByText(/^Время: /)).toHaveCount(0);

  const teacher = (await tabFor(classroom.owner)).page;
  await teacher.goto(
    `/edit-course/${classroom.courseId}?tab=students&view=analysis&part=${classroom.quizId}`,
  );
  const row = (name: string) => teacher.getByRole("table", { name: "Вопросы" }).getByRole("row", { name });
  const time = async (name: string) => plain(await row(name).getByRole("cell").last().textContent());
  await expect.poll(() => time("Где на схеме курс?")).toMatch(/^\d+(,\d)? с$/);
  expect(await time("Где на схеме модули?")).toBe("—");
  await expect(teacher.getByRole("button", { name: "Время (медиана)" })).toBeVisible();
  await expectAccessibleEverywhere(teacher, "an analysis with times");

  await teacher.goto(`/edit-course/${classroom.courseId}?tab=students`);
  await teacher.getByRole("link", { name: classroom.learner.fullName }).first().click();
  await expect(teacher.getByRole("heading", { name: classroom.learner.fullName })).toBeVisible();
  await teacher.getByRole("button", { name: /Первые шаги/ }).click();
  await teacher.getByRole("button", { name: /^Попытка 1/ }).click();
  const dialog = teacher.getByRole("dialog");
  await expect(dialog.getByText(/^Время: \d+(,\d)?\sс$/)).toHaveCount(1);
  await expect(dialog.getByText("Ответ ученика").first()).toBeVisible();
  await expectAccessible(teacher, "an attempt with times");
});
