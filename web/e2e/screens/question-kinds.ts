import type { Page } from "@playwright/test";
import { openReady } from "../builder.ts";
import { changeQuiz, createClassroom, ids } from "../classroom.ts";
import { createDrawClass } from "../draws.ts";
import { question } from "../quiz-keyboard.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { createTakenQuiz } from "../taken-quiz.ts";
import { openAs } from "./class.ts";

/** A formula, a number with units and hints, and a choice with weights. */
const quiz = {
  pass_percent: 50,
  reveal: "after_submit",
  questions: [
    {
      id: ids.text,
      type: "formula",
      prompt: "Поезд едет {t} ч со скоростью {v} км/ч. Сколько километров он проедет?",
      parameters: [
        { name: "t", min: 2, max: 5 },
        { name: "v", min: 60, max: 120 },
      ],
      expression: "t * v",
      explanation: "Путь — это скорость, умноженная на время.",
    },
    {
      id: ids.numeric,
      type: "numeric",
      prompt: "Какой длины Северный морской путь от Карских Ворот до бухты Провидения?",
      value: 5600,
      tolerance_percent: 2,
      units: [
        { name: "км", factor: 1 },
        { name: "м", factor: 0.001 },
      ],
      hints: ["Это больше, чем от Москвы до Иркутска.", "Меньше шести тысяч километров."],
    },
    {
      id: ids.multiple,
      type: "multiple_choice",
      prompt: "Какие моря омывают Россию?",
      options: [
        { content: "Баренцево", correct: true, weight: 50 },
        { content: "Лаптевых", correct: true, weight: 50 },
        { content: "Средиземное", weight: -100 },
        { content: "Красное", weight: -50 },
      ],
    },
  ],
};

async function createClass(sample: SampleData) {
  const classroom = await createClassroom(sample.server);
  await changeQuiz(classroom, quiz);
  return classroom;
}

/** Opens a question of the quiz, by its index from 0, in the builder. */
const builder = (name: string, index: number): Screen => ({
  name,
  open: async (page, sample) => {
    const { owner, quizId } = await createClass(sample);
    await openAs(page, owner, `/edit-page/${quizId}`);
    const header = page.locator("[data-header]").nth(index);
    await header.click();
    await header.evaluate((header) => header.scrollIntoView({ block: "start" }));
  },
});

async function openAnswered(page: Page, sample: SampleData): Promise<void> {
  const { learner, quizId } = await createClass(sample);
  await openAs(page, learner, `/view-page/${quizId}`);
  await question(page, "text").getByRole("textbox").fill("12");
  const length = question(page, "numeric");
  await length.getByRole("button", { name: "Подсказка 1 из 2" }).click();
  await length.getByRole("textbox").fill("5,6");
  await length.getByRole("combobox", { name: "Единица" }).selectOption("км");
  await question(page, "multiple").getByLabel("Лаптевых").check();
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** Opens a source of existing questions in a quiz. */
async function openSource(page: Page, sample: SampleData, source: string): Promise<void> {
  const { owner, quizId } = await createDrawClass(sample.server);
  await openAs(page, owner, `/edit-page/${quizId}`);
  await openReady(page, source);
}

/** Formulas, units, hints and weights, questions from elsewhere, and the analysis of a quiz. */
export const questionKinds: Screen[] = [
  builder("edit-quiz-formula", 0),
  builder("edit-quiz-units", 1),
  builder("edit-quiz-weights", 2),
  { name: "quiz-kinds", open: openAnswered },
  {
    name: "quiz-kinds-result",
    open: async (page, sample) => {
      await openAnswered(page, sample);
      await page.getByRole("button", { name: "Отправить ответы" }).click();
      await page.getByText("Путь — это скорость").waitFor();
    },
  },
  {
    name: "edit-quiz-from-bank",
    open: async (page, sample) => {
      await openSource(page, sample, "Из банка вопросов…");
      await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
    },
  },
  {
    name: "edit-quiz-paste",
    open: async (page, sample) => {
      await openSource(page, sample, "Вставить текст…");
      const text = "Столица Франции? {=Париж ~Лион ~Марсель}\n\nСколько планет в Солнечной системе? {#8}";
      await page.getByRole("dialog").getByRole("textbox").fill(text);
    },
  },
  {
    name: "students-analysis-class",
    open: async (page, sample) => {
      const { owner, courseId, quizId } = await createTakenQuiz(sample.server);
      await openAs(page, owner, `/edit-course/${courseId}?tab=students&view=analysis&part=${quizId}`);
      await page.getByRole("button", { name: "Ответы на вопрос 1" }).click();
    },
  },
];
