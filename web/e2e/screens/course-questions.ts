import { type Asking, ask, change, createAsking, reply, report } from "../course-questions.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

const created = new WeakMap<SampleData, Promise<Asking>>();

/** A course with waiting, solved, private and reported questions, created once per server. */
function getAsking(sample: SampleData): Promise<Asking> {
  const data = created.get(sample) ?? createWorld(sample);
  created.set(sample, data);
  return data;
}

async function createWorld({ server }: SampleData): Promise<Asking> {
  const world = await createAsking(server);
  await ask(world, {
    text: "Почему переменная по умолчанию неизменяема? В JavaScript значение можно менять сколько угодно раз.",
  });
  await ask(world, { text: "Чем const отличается от let?", page: 2, by: world.other });
  await ask(world, { text: "Болею и не успеваю к сроку. Можно сдать тест позже?", toTeachers: true });
  const solved = await ask(world, { text: "Где скачать компилятор?", by: world.other });
  await reply(world, world.teacher, solved, "На сайте rust-lang.org: там есть установщик rustup.");
  await change(world, world.teacher, solved, { isResolved: true, isPinned: true });
  const bad = await ask(world, { text: "Кто пришлёт ответы на тест?", by: world.other, page: 2 });
  await report(world, world.learner, bad, "Просит готовые ответы");
  return world;
}

/** Questions of a course for its staff. */
export const courseQuestions: Screen[] = [
  {
    name: "course-questions",
    open: async (page, sample) => {
      const world = await getAsking(sample);
      await openAs(page, world.teacher, `/edit-course/${world.courseId}?tab=questions`);
      await page.getByText("Почему переменная").first().waitFor();
    },
  },
  {
    name: "course-question",
    open: async (page, sample) => {
      const world = await getAsking(sample);
      await openAs(page, world.teacher, `/edit-course/${world.courseId}?tab=questions&view=all`);
      await page.getByRole("link", { name: /Где скачать/ }).click();
      await page.getByText("там есть установщик").first().waitFor();
    },
  },
  {
    name: "course-questions-settings",
    open: async (page, sample) => {
      const world = await getAsking(sample);
      await openAs(page, world.teacher, `/edit-course/${world.courseId}?tab=settings`);
      await page.getByRole("textbox", { name: "Запрещённые слова" }).waitFor();
    },
  },
  {
    name: "page-questions-switch",
    open: async (page, sample) => {
      const world = await getAsking(sample);
      await openAs(page, world.owner, `/edit-course/${world.courseId}`);
      await page.getByRole("button", { name: "Действия: Переменные" }).click();
      await page.getByRole("menuitem", { name: "Вопросы под страницей…" }).click();
      await page.getByRole("dialog").getByRole("checkbox").waitFor();
    },
  },
];
