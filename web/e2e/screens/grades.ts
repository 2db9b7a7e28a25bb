import { createCourse, enroll, generateShareCode, signUp } from "../api.ts";
import { addGrader, assess, createEssayClass, type EssayClass, queued } from "../essays.ts";
import { createRich } from "../grades-class.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { blockOperation, openAs } from "./class.ts";

const created = new WeakMap<SampleData, ReturnType<typeof createRich>>();

/** A course with grades of every kind; created once per server. */
function getGraded(sample: SampleData): ReturnType<typeof createRich> {
  const data = created.get(sample) ?? createRich(sample.server);
  created.set(sample, data);
  return data;
}

const essays = new WeakMap<SampleData, Promise<EssayClass>>();

/** A course whose points are released together, with two waiting essays and a graded one; created once per server. */
function getEssays(sample: SampleData): Promise<EssayClass> {
  const data =
    essays.get(sample) ??
    (async () => {
      const classroom = await createEssayClass(sample.server, { release: "together" });
      const grader = await addGrader(classroom);
      const last = (await queued(classroom)).at(-1);
      if (last) await assess(classroom, grader, last, { points: 4, comment: "Хорошо, но нет примера." });
      return classroom;
    })();
  essays.set(sample, data);
  return data;
}

/** The gradebook, the grading queue, and a learner's own grades. */
export const grades: Screen[] = [
  {
    name: "grading-queue",
    open: async (page, sample) => {
      const { owner, courseId } = await getEssays(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grading`);
      await page.getByRole("button", { name: "Начать проверку" }).waitFor();
    },
  },
  {
    name: "grading-answer",
    open: async (page, sample) => {
      const { owner, courseId } = await getEssays(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grading`);
      await page.getByRole("button", { name: "Начать проверку" }).click();
      await page.getByRole("textbox", { name: /^Баллы/ }).fill("3");
    },
  },
  {
    name: "grading-graded",
    open: async (page, sample) => {
      const { owner, courseId } = await getEssays(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grading&view=graded`);
      await page.getByRole("navigation", { name: "Очередь проверки" }).getByRole("link").click();
      await page.getByRole("textbox", { name: /^Баллы/ }).waitFor();
    },
  },
  {
    name: "essay-taking",
    open: async (page, sample) => {
      const { learner, quizId } = await getEssays(sample);
      await openAs(page, learner, `/view-page/${quizId}`);
      await page.getByRole("textbox", { name: /Ваш ответ/ }).click();
      await page.keyboard.type("Ссылка не переживёт значение");
    },
  },
  {
    name: "essay-waiting",
    open: async (page, sample) => {
      const { learners, learner, quizId } = await getEssays(sample);
      await openAs(page, learners[0] ?? learner, `/view-page/${quizId}`);
      await page.getByRole("heading", { name: "Ответы приняты" }).waitFor();
    },
  },
  {
    name: "own-grades",
    open: async (page, sample) => {
      const { learner, courseId } = await getGraded(sample);
      await openAs(page, learner, `/view-course/${courseId}?tab=grades`);
      await page.getByRole("region", { name: "Итоговая оценка" }).waitFor();
    },
  },
  {
    name: "gradebook",
    open: async (page, sample) => {
      const { owner, courseId } = await getGraded(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grades`);
      await page.getByRole("grid").waitFor();
    },
  },
  {
    name: "gradebook-settings",
    open: async (page, sample) => {
      const { owner, courseId } = await getGraded(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grades&view=settings`);
      await page.getByRole("list", { name: "Оцениваемые страницы" }).waitFor();
    },
  },
  {
    name: "gradebook-import",
    open: async (page, sample) => {
      const graded = await getGraded(sample);
      await openAs(page, graded.owner, `/edit-course/${graded.courseId}?tab=grades&view=import`);
      await page
        .getByLabel("Выбрать файл")
        .setInputFiles({ name: "Ведомость.csv", mimeType: "text/csv", buffer: Buffer.from(tableOf(graded)) });
      await page.getByRole("textbox", { name: "Причина" }).fill("Зачёт в бумажной ведомости");
      await page.getByRole("button", { name: "Показать изменения" }).click();
      await page.getByRole("region", { name: "Изменения" }).waitFor();
    },
  },
  {
    name: "gradebook-items",
    open: async (page, sample) => {
      const { owner, courseId } = await getGraded(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grades&view=settings`);
      await page.getByRole("checkbox", { name: "Выбрать все" }).check();
      await page.getByRole("button", { name: "Изменить 6 страниц" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
];

/** A table that gives one grade, excuses from another, and has a line and a cell that are not read. */
const tableOf = ({ quizzes, learners }: Awaited<ReturnType<typeof createRich>>) => {
  const [first = "", second = ""] = quizzes.map((id) => id.replaceAll("-", "").slice(-8));
  const [one, two] = learners.map(({ email }) => email);
  return [
    `Имя;Email;Переменные и типы [${first}];Владение [${second}]`,
    `Абрамова;${one};7,5;освобождён`,
    `Борисов;${two};десять;10`,
    "Гостев;gost@example.com;5;5",
  ].join("\r\n");
};

/** States that gradebook.e2e.ts and own-grades.e2e.ts check with axe; they are only photographed. */
export const gradesStates: Screen[] = [
  {
    name: "gradebook-typing",
    open: async (page, sample) => {
      const { owner, courseId } = await getGraded(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grades`);
      await page.locator('[data-cell="1-2"]').press("8");
      await page.keyboard.press("Enter");
      await page.getByText("Напишите причину").waitFor();
    },
  },
  {
    name: "own-grades-empty",
    open: async (page, { server }) => {
      const owner = await signUp(server, "Соколова Вера Павловна");
      const courseId = await createCourse(server, owner, "Чтение вслух", { Начало: { Урок: ["Глава"] } });
      const learner = await signUp(server, "Егоров Егор Егорович");
      await enroll(server, learner, await generateShareCode(server, owner, courseId));
      await openAs(page, learner, `/view-course/${courseId}?tab=grades`);
      await page.getByRole("heading", { name: "Оценок в этом курсе пока нет" }).waitFor();
    },
  },
  {
    name: "own-grades-loading",
    open: async (page, sample) => {
      const { learner, courseId } = await getGraded(sample);
      await blockOperation(page, "OwnGrades");
      await openAs(page, learner, `/view-course/${courseId}?tab=grades`);
      await page.getByRole("status", { name: "Загрузка…" }).waitFor();
    },
  },
];
