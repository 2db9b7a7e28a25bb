import { createRubricClass, gradeByRubric, type RubricClass } from "../rubrics.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

const created = new WeakMap<SampleData, Promise<RubricClass>>();

/** A course with a question and its rubric, two answers to it, of which the first one is graded; created once per server. */
function getRubrics(sample: SampleData): Promise<RubricClass> {
  const create = async () => {
    const classroom = await createRubricClass(sample.server, 2);
    await gradeByRubric(classroom);
    return classroom;
  };
  const data = created.get(sample) ?? create();
  created.set(sample, data);
  return data;
}

/** A rubric: written, read before the answer, used by a grader, and read with the marks. */
export const rubrics: Screen[] = [
  {
    name: "rubric-builder",
    open: async (page, sample) => {
      const { owner, quizId } = await getRubrics(sample);
      await openAs(page, owner, `/edit-page/${quizId}`);
      await page.getByRole("button", { name: /Почему заимствование/ }).click();
      await page.getByRole("textbox", { name: "Критерий 1" }).evaluate((field) => field.scrollIntoView());
    },
  },
  {
    name: "rubric-taking",
    open: async (page, sample) => {
      const { learner, quizId } = await getRubrics(sample);
      await openAs(page, learner, `/view-page/${quizId}`);
      await page.getByRole("list", { name: "Критерии оценки" }).waitFor();
    },
  },
  {
    name: "rubric-grading",
    open: async (page, sample) => {
      const { owner, courseId } = await getRubrics(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grading&view=released`);
      await page.getByRole("navigation", { name: "Очередь проверки" }).getByRole("link").first().click();
      await page.getByRole("list", { name: "Комментарии к местам ответа" }).waitFor();
    },
  },
  {
    name: "rubric-result",
    open: async (page, sample) => {
      const { learners, learner, quizId } = await getRubrics(sample);
      await openAs(page, learners[0] ?? learner, `/view-page/${quizId}`);
      await page.getByText("Оценка по критериям").waitFor();
    },
  },
];
