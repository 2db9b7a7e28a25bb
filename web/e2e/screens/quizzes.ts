import type { Page } from "@playwright/test";
import { type Classroom, changeQuiz, createClassroom, everyKind } from "../classroom.ts";
import { changeInBank, createDrawClass, drawQuiz, yes } from "../draws.ts";
import { question } from "../quiz-keyboard.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

const [single] = everyKind.questions;

/** A quiz whose options have feedback. */
const explained = {
  pass_percent: 50,
  reveal: "after_submit",
  questions: [
    {
      ...single,
      options: [
        { content: "let", feedback: "Слово let объявляет переменную, но изменять её не разрешает." },
        { content: "mut", correct: true, feedback: "Верно: без mut компилятор не даст изменить значение." },
        { content: "var" },
      ],
    },
  ],
};

/** Opens the quiz of a new class as its learner. */
async function openQuiz(page: Page, sample: SampleData, quiz: object): Promise<Classroom> {
  const classroom = await createClassroom(sample.server, quiz);
  await openAs(page, classroom.learner, `/view-page/${classroom.quizId}`);
  return classroom;
}

const start = (page: Page) => page.getByRole("button", { name: "Начать" }).click();

/** Quizzes with a time limit, with feedback per option, and with draws from question banks. */
export const quizzes: Screen[] = [
  {
    name: "quiz-timed-start",
    open: async (page, sample) => {
      await openQuiz(page, sample, { ...everyKind, time_limit_seconds: 1200, max_attempts: 2 });
      await page.getByRole("heading", { name: "Тест на время" }).waitFor();
    },
  },
  {
    name: "quiz-timed",
    open: async (page, sample) => {
      await openQuiz(page, sample, { ...everyKind, time_limit_seconds: 1200 });
      await start(page);
      await question(page, "single").getByLabel("mut").check();
      await page.getByText("Сохранено", { exact: true }).waitFor();
    },
  },
  {
    name: "quiz-stepwise",
    open: async (page, sample) => {
      await openQuiz(page, sample, { ...everyKind, checking: "each_question" });
      await start(page);
      await question(page, "single").getByLabel("var").check();
      await page.getByRole("button", { name: "Проверить", exact: true }).click();
      await page.getByRole("status").filter({ hasText: "Неверно" }).waitFor();
    },
  },
  {
    name: "quiz-timed-last-minute",
    open: async (page, sample) => {
      await openQuiz(page, sample, { ...everyKind, time_limit_seconds: 59 });
      await start(page);
      await page.getByText("меньше минуты").waitFor();
    },
  },
  {
    name: "edit-quiz-feedback",
    open: async (page, sample) => {
      const { owner, quizId } = await createClassroom(sample.server, explained);
      await openAs(page, owner, `/edit-page/${quizId}`);
      await page.locator("[data-header]").first().click();
      await page.getByRole("textbox", { name: "Пояснение для тех, кто выбрал вариант 1" }).waitFor();
    },
  },
  {
    name: "quiz-feedback",
    open: async (page, sample) => {
      await openQuiz(page, sample, explained);
      await page.getByLabel("let", { exact: true }).check();
      await page.getByRole("button", { name: "Отправить ответы" }).click();
      await page.getByText("Слово let объявляет переменную").waitFor();
    },
  },
  {
    name: "edit-quiz-draw",
    open: async (page, sample) => {
      const classroom = await createDrawClass(sample.server);
      const { bank, owner, quizId } = classroom;
      const [source] = bank.questions;
      const copy = source && {
        ...yes("Земля круглая?"),
        source: { question_id: source.id, version: source.version },
      };
      const { questions } = drawQuiz(bank.id, 2);
      await changeQuiz(classroom, { questions: [copy, ...questions] });
      if (source) await changeInBank(classroom, source, "Земля — шар?");
      await openAs(page, owner, `/edit-page/${quizId}`);
      await page.getByText("Есть новая версия").waitFor();
      await page.locator("[data-header]").last().click();
      await page.getByText("Сейчас подходят").waitFor();
    },
  },
  {
    name: "quiz-draw-start",
    open: async (page, sample) => {
      const { learner, quizId } = await createDrawClass(sample.server);
      await openAs(page, learner, `/view-page/${quizId}`);
      await page.getByRole("button", { name: "Начать" }).waitFor();
    },
  },
  {
    name: "quiz-draw",
    open: async (page, sample) => {
      const { learner, quizId } = await createDrawClass(sample.server);
      await openAs(page, learner, `/view-page/${quizId}`);
      await start(page);
      await page.getByPlaceholder("Ваш ответ").first().fill("да");
      await page.getByText("Сохранено", { exact: true }).waitFor();
    },
  },
];
