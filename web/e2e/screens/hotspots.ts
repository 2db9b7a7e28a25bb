import type { Page } from "@playwright/test";
import { changeQuiz, createClassroom } from "../classroom.ts";
import { clickOn, hotspotIds, hotspotQuiz } from "../hotspots.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

async function createClass(sample: SampleData) {
  const classroom = await createClassroom(sample.server);
  await changeQuiz(classroom, await hotspotQuiz(classroom));
  return classroom;
}

/** Opens the quiz of a new class as its learner and marks places. */
async function openMarked(page: Page, sample: SampleData): Promise<void> {
  const { learner, quizId } = await createClass(sample);
  await openAs(page, learner, `/view-page/${quizId}`);
  const surface = (id: string) => page.locator(`#question-${id}`).getByRole("application");
  await clickOn(page, surface(hotspotIds.one), 30, 13);
  await clickOn(page, surface(hotspotIds.all), 18, 38);
  await clickOn(page, surface(hotspotIds.all), 30, 62);
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** Questions whose answer is a place on a picture: written, answered and graded. */
export const hotspots: Screen[] = [
  {
    name: "edit-quiz-hotspot",
    open: async (page, sample) => {
      const { owner, quizId } = await createClass(sample);
      await openAs(page, owner, `/edit-page/${quizId}`);
      await page.locator("[data-header]").nth(1).click();
      await page.getByRole("button", { name: /^Область 2/ }).click();
      await page.locator("[data-surface]").evaluate((picture) => picture.scrollIntoView({ block: "center" }));
    },
  },
  { name: "quiz-hotspot", open: openMarked },
  {
    name: "quiz-hotspot-result",
    open: async (page, sample) => {
      await openMarked(page, sample);
      await page.getByRole("button", { name: "Отправить ответы" }).click();
      await page.getByText("Верные области").first().waitFor();
      await page
        .locator(`#question-${hotspotIds.all}`)
        .evaluate((question) => question.scrollIntoView({ block: "start" }));
    },
  },
];
