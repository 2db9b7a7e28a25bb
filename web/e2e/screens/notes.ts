import { graphql } from "../../../scripts/client.mjs";
import { createQuestioned, type Questioned } from "../page-questions.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

const created = new WeakMap<SampleData, Promise<Questioned>>();

/** A page with notes of a learner, created once per server. */
function getNoted(sample: SampleData): Promise<Questioned> {
  const data = created.get(sample) ?? createNoted(sample);
  created.set(sample, data);
  return data;
}

async function createNoted({ server }: SampleData): Promise<Questioned> {
  const world = await createQuestioned(server);
  const { pageId, learner } = world;
  const { page } = await graphql(
    server.url,
    learner.token,
    "query ($id: ID!) { page(id: $id) { version } }",
    {
      id: pageId,
    },
  );
  const create = "mutation ($input: CreateNoteInput!) { createNote(input: $input) { note { id } } }";
  for (const note of [
    { color: "GREEN", body: "", block: 0, quote: "связывает имя со значением" },
    { color: "YELLOW", body: "Кроме mut: тогда можно.", block: 1, quote: "нельзя изменить" },
  ])
    await graphql(server.url, learner.token, create, { input: { pageId, version: page.version, ...note } });
  const bookmark = "mutation ($input: SetBookmarkInput!) { setBookmark(input: $input) { page { id } } }";
  await graphql(server.url, learner.token, bookmark, { input: { pageId, isBookmarked: true } });
  return world;
}

/** The notes of a learner: on a page, in its panel, and in the list of a course. */
export const notes: Screen[] = [
  {
    name: "notes-page",
    open: async (page, sample) => {
      const world = await getNoted(sample);
      await openAs(page, world.learner, `/view-page/${world.pageId}`);
      await page.getByRole("button", { name: /^Заметки на странице: 2/ }).waitFor();
    },
  },
  {
    name: "notes-panel",
    open: async (page, sample) => {
      const world = await getNoted(sample);
      await openAs(page, world.learner, `/view-page/${world.pageId}`);
      await page.getByRole("button", { name: /^Заметки на странице: 2/ }).click();
      await page.getByText("Кроме mut: тогда можно.").waitFor();
    },
  },
  {
    name: "notes-courses",
    open: async (page, sample) => {
      const world = await getNoted(sample);
      await openAs(page, world.learner, "/notes");
      await page.getByRole("list", { name: "Курсы с заметками" }).waitFor();
    },
  },
  {
    name: "notes-course",
    open: async (page, sample) => {
      const world = await getNoted(sample);
      await openAs(page, world.learner, `/view-course/${world.courseId}/notes`);
      await page.getByText("Кроме mut: тогда можно.").waitFor();
    },
  },
];
