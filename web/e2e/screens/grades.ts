import { createCourse, enroll, generateShareCode, signUp } from "../api.ts";
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

/** The gradebook, and a learner's own grades. */
export const grades: Screen[] = [
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
