import type { Page } from "@playwright/test";
import {
  answerQuestion,
  askQuestion,
  createQuestioned,
  type Questioned,
  setQuestions,
} from "../page-questions.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

interface World extends Questioned {
  /** A question with answers. */
  discussionId: string;
}

const created = new WeakMap<SampleData, Promise<World>>();

/** A page with questions, created once per server. */
function getQuestioned(sample: SampleData): Promise<World> {
  const data = created.get(sample) ?? createWorld(sample);
  created.set(sample, data);
  return data;
}

async function createWorld({ server }: SampleData): Promise<World> {
  const world = await createQuestioned(server);
  await setQuestions(world, { allowsAnonymous: true });
  const discussionId = await askQuestion(
    world,
    world.other,
    "Что значит изменяемая? Компилятор пишет: cannot assign twice to immutable variable. Как правильно?",
    { block: 2 },
  );
  await answerQuestion(world, world.learner, discussionId, "Кажется, нужно добавить mut.");
  await answerQuestion(world, world.owner, discussionId, "Да: let mut x = 5. Тогда значение можно сменить.");
  await askQuestion(world, world.learner, "Зачем нужно затенение?", { isAnonymous: true });
  await askQuestion(world, world.other, "Можно ли объявить две переменные в одной строке?", { block: 0 });
  await askQuestion(world, world.learner, "Можно ли сдать позже?", { toTeachers: true });
  return { ...world, discussionId };
}

const mark = (page: Page) => page.getByRole("button", { name: /открытый вопрос к\sблоку 3$/ });

/** Questions under a page: the section, a question with its answers, the card at a block, and asking. */
export const pageQuestions: Screen[] = [
  {
    name: "page-questions",
    open: async (page, sample) => {
      const world = await getQuestioned(sample);
      await openAs(page, world.learner, `/view-page/${world.pageId}?question=${world.discussionId}`);
      await page.getByRole("article", { name: /^Вопрос: Что значит/ }).waitFor();
    },
  },
  {
    name: "page-questions-teacher",
    open: async (page, sample) => {
      const world = await getQuestioned(sample);
      await openAs(page, world.owner, `/view-page/${world.pageId}?question=${world.discussionId}`);
      await page.getByRole("button", { name: "Отметить как решение" }).first().waitFor();
    },
  },
  {
    name: "page-questions-block",
    open: async (page, sample) => {
      const world = await getQuestioned(sample);
      await openAs(page, world.learner, `/view-page/${world.pageId}`);
      await mark(page).click();
      await page.getByRole("article", { name: /^Вопрос: Что значит/ }).waitFor();
    },
  },
  {
    name: "page-questions-asking",
    open: async (page, sample) => {
      const world = await getQuestioned(sample);
      await openAs(page, world.learner, `/view-page/${world.pageId}`);
      await mark(page).click();
      await page.getByRole("button", { name: "Задать вопрос", exact: true }).first().click();
      await page.getByRole("textbox", { name: "Ваш вопрос" }).waitFor();
    },
  },
];
