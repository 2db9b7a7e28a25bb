import { createFilesClass, type FilesClass, pdf, picture } from "../file-answers.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

const created = new WeakMap<SampleData, Promise<FilesClass>>();

/** A course with a question that takes files, and two answers to it; created once per server. */
function getFiles(sample: SampleData): Promise<FilesClass> {
  const data = created.get(sample) ?? createFilesClass(sample.server);
  created.set(sample, data);
  return data;
}

/** The question that takes files: written, answered, and graded. */
export const fileAnswers: Screen[] = [
  {
    name: "files-builder",
    open: async (page, sample) => {
      const { owner, quizId } = await getFiles(sample);
      await openAs(page, owner, `/edit-page/${quizId}`);
      await page.getByRole("button", { name: /Приложите отчёт/ }).click();
      await page
        .getByRole("list", { name: "Принимаемые расширения" })
        .evaluate((list) => list.scrollIntoView({ block: "center" }));
    },
  },
  {
    name: "files-taking",
    open: async (page, sample) => {
      const { learner, quizId } = await getFiles(sample);
      await openAs(page, learner, `/view-page/${quizId}`);
      const field = page.locator("input[type=file]");
      await field.setInputFiles([pdf("Отчёт.pdf")]);
      await page.getByRole("button", { name: "Убрать: Отчёт.pdf" }).waitFor();
      await page.route("**/upload_answer_file/**", () => new Promise(() => {}));
      const image = await picture("Снимок экрана с результатом измерений.png");
      await field.setInputFiles([image, pdf("Запись с микрофона.mp3")]);
      await page.getByRole("progressbar").waitFor();
    },
  },
  {
    name: "files-waiting",
    open: async (page, sample) => {
      const { learners, learner, quizId } = await getFiles(sample);
      await openAs(page, learners[0] ?? learner, `/view-page/${quizId}`);
      await page.getByRole("heading", { name: "Ответы приняты" }).waitFor();
    },
  },
  {
    name: "files-grading",
    open: async (page, sample) => {
      const { owner, courseId } = await getFiles(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grading`);
      await page.getByRole("button", { name: "Начать проверку" }).click();
      await page.getByRole("region", { name: "Ответ ученика" }).getByRole("link").first().waitFor();
    },
  },
];

/** States that the browser reports as failures on the console. */
export const fileStates: Screen[] = [
  {
    name: "files-failed",
    open: async (page, sample) => {
      const { learner, quizId } = await getFiles(sample);
      await openAs(page, learner, `/view-page/${quizId}`);
      await page.route("**/upload_answer_file/**", (route) => route.abort());
      await page.locator("input[type=file]").setInputFiles([pdf("Отчёт.pdf")]);
      await page.getByRole("button", { name: /^Повторить загрузку/ }).waitFor();
      await page.getByRole("button", { name: "Отправить ответы" }).click();
    },
  },
];
