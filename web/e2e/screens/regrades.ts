import { visit } from "../api.ts";
import { content, publishAll, saveDraft } from "../changes.ts";
import type { Classroom } from "../classroom.ts";
import { publishButton } from "../page-editor.ts";
import { accepting, createTakenQuiz, shorter } from "../regrade.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

const created = new WeakMap<SampleData, Promise<Classroom>>();

/** A course whose quiz was regraded and has changed again, and whose first page has an important change; created once per server. */
function getChanged(sample: SampleData): Promise<Classroom> {
  const data = created.get(sample) ?? createChanged(sample);
  created.set(sample, data);
  return data;
}

async function createChanged({ server }: SampleData): Promise<Classroom> {
  const classroom = await createTakenQuiz(server, 3);
  const { learner, pages, quizId } = classroom;
  await visit(server, learner, pages[0]);
  await saveDraft(classroom, quizId, accepting);
  await publishAll(classroom, { pastAttempts: "REGRADE" });
  await saveDraft(classroom, pages[0], content("Текст.", "Имя без mut менять нельзя."));
  await publishAll(classroom, { importance: "IMPORTANT" });
  await saveDraft(classroom, quizId, shorter);
  return classroom;
}

/** What publishing changes for learners: before it, and what they are told afterwards. */
export const regrades: Screen[] = [
  {
    name: "publish-taken-quiz",
    open: async (page, sample) => {
      const { owner, quizId } = await getChanged(sample);
      await openAs(page, owner, `/edit-page/${quizId}`);
      await publishButton(page).click();
      await page.getByRole("radio", { name: /^Пересчитать/ }).check();
      await page.getByText(/Пересчитаем/).waitFor();
    },
  },
  {
    name: "regrades",
    open: async (page, sample) => {
      const { owner, courseId } = await getChanged(sample);
      await openAs(page, owner, `/edit-course/${courseId}?tab=grades&view=regrades`);
      await page.getByText(/отменить можно до/).waitFor();
    },
  },
  {
    name: "regraded-attempt",
    open: async (page, sample) => {
      const { learner, quizId } = await getChanged(sample);
      await openAs(page, learner, `/view-page/${quizId}`);
      await page.getByText(/Пересчитано/).waitFor();
    },
  },
  {
    name: "changed-page",
    open: async (page, sample) => {
      const { learner, pages } = await getChanged(sample);
      await openAs(page, learner, `/view-page/${pages[0]}`);
      await page.getByRole("button", { name: "Прочитано снова" }).waitFor();
    },
  },
  {
    name: "changed-page-compared",
    open: async (page, sample) => {
      const { learner, pages } = await getChanged(sample);
      await openAs(page, learner, `/view-page/${pages[0]}`);
      await page.getByRole("button", { name: "Что изменилось" }).click();
      await page
        .getByRole("dialog")
        .getByText(/без mut/)
        .first()
        .waitFor();
    },
  },
  {
    name: "home-important-changes",
    open: async (page, sample) => {
      await openAs(page, (await getChanged(sample)).learner, "/");
      await page.getByRole("region", { name: "Важные изменения" }).waitFor();
    },
  },
];
