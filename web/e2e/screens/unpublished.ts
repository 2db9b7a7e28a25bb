import { graphql } from "../../../scripts/client.mjs";
import { type Classroom, createClassroom, everyKind } from "../classroom.ts";
import { paragraph, publishButton, publishDialog } from "../page-editor.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

const created = new WeakMap<SampleData, Promise<Classroom>>();

/** A course with unpublished changes of its two text pages and of its quiz, which lacks an answer; created once per server. */
function getChanged(sample: SampleData): Promise<Classroom> {
  const data = created.get(sample) ?? createChanged(sample);
  created.set(sample, data);
  return data;
}

const before = [
  "Переменная связывает имя со значением. По умолчанию она неизменяема: второе присваивание не скомпилируется.",
  "Чтобы значение можно было менять, напишите let mut.",
  "Имя с подчёркиванием в начале говорит компилятору, что переменная не нужна намеренно.",
];
const after = [
  before[0],
  "Чтобы значение можно было поменять, напишите перед именем слово mut: let mut счёт = 0.",
  before[2],
  "Константу объявляют словом const, и её тип указывают всегда.",
];
const textOf = (lines: readonly (string | undefined)[]) => ({
  type: "doc",
  content: lines.map((line) => paragraph(line ?? "")),
});

async function createChanged({ server }: SampleData): Promise<Classroom> {
  const classroom = await createClassroom(server);
  const [first, quiz, last] = classroom.pages;
  const save = (pageId: string, change: object) =>
    graphql(
      server.url,
      classroom.owner.token,
      "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }",
      { input: { pageId, ...change } },
    );
  await save(first, { content: textOf(before) });
  await save(first, { draft: true, content: textOf(after) });
  const questions = everyKind.questions.map((one) => ("value" in one ? { ...one, value: null } : one));
  await save(quiz, { draft: true, quiz: { ...everyKind, questions } });
  await save(last, { draft: true, title: "Что читать дальше", content: textOf(before) });
  // The published text of the last page changes beside its changes.
  await save(last, { content: textOf([before[1]]) });
  return classroom;
}

/** Unpublished changes: in the editor, before publishing, in the list of the course, and in a preview. */
export const unpublished: Screen[] = [
  {
    name: "unpublished-page",
    open: async (page, sample) => {
      const { owner, pages } = await getChanged(sample);
      await openAs(page, owner, `/edit-page/${pages[0]}`);
      await publishButton(page).waitFor();
    },
  },
  {
    name: "unpublished-behind",
    open: async (page, sample) => {
      const { owner, pages } = await getChanged(sample);
      await openAs(page, owner, `/edit-page/${pages[2]}`);
      await page.getByRole("button", { name: "Объединить" }).waitFor();
    },
  },
  {
    name: "unpublished-dialog",
    open: async (page, sample) => {
      const { owner, pages } = await getChanged(sample);
      await openAs(page, owner, `/edit-page/${pages[0]}`);
      await publishButton(page).click();
      await publishDialog(page).getByText("Константу").waitFor();
    },
  },
  {
    name: "unpublished-quiz",
    open: async (page, sample) => {
      const { owner, quizId } = await getChanged(sample);
      await openAs(page, owner, `/edit-page/${quizId}`);
      await publishButton(page).click();
      await publishDialog(page)
        .getByText(/Прежде чем публиковать/)
        .waitFor();
    },
  },
  {
    name: "unpublished-contents",
    open: async (page, sample) => {
      const { owner, courseId } = await getChanged(sample);
      await openAs(page, owner, `/edit-course/${courseId}`);
      await page.getByText("Есть изменения").first().waitFor();
    },
  },
  {
    name: "unpublished-list",
    open: async (page, sample) => {
      const { owner, courseId } = await getChanged(sample);
      await openAs(page, owner, `/edit-course/${courseId}?view=unpublished`);
      await page.getByRole("checkbox", { name: "Выбрать «Переменные»" }).check();
    },
  },
  {
    name: "unpublished-preview",
    open: async (page, sample) => {
      const { owner, courseId, pages } = await getChanged(sample);
      await openAs(page, owner, `/preview/${courseId}/new/now/drafts/${pages[0]}`);
      await page.getByText("Константу").waitFor();
    },
  },
];
