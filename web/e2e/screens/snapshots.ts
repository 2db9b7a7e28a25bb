import { graphql } from "../../../scripts/client.mjs";
import { content, saveDraft } from "../changes.ts";
import { type Classroom, createClassroom } from "../classroom.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { snapshotsTab, takeSnapshot } from "../snapshots.ts";
import { openAs } from "./class.ts";

interface Kept extends Classroom {
  snapshotId: string;
}

const created = new WeakMap<SampleData, Promise<Kept>>();

/** A course that has changed in many ways since a snapshot was taken; created once per server. */
function getKept(sample: SampleData): Promise<Kept> {
  const data = created.get(sample) ?? createKept(sample);
  created.set(sample, data);
  return data;
}

async function createKept({ server }: SampleData): Promise<Kept> {
  const classroom = await createClassroom(server);
  const { owner, courseId, lessonId, pages } = classroom;
  const call = (query: string, input: object) => graphql(server.url, owner.token, query, { input });
  await saveDraft(classroom, pages[0], content("Переменная связывает имя со значением."));
  const snapshotId = await takeSnapshot(classroom, "До переделки первого урока");
  await saveDraft(classroom, pages[0], content("Переменная связывает имя с местом в памяти."));
  await call("mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }", {
    courseId,
    title: "Основы Rust для начинающих",
  });
  await call("mutation ($input: DeletePageInput!) { deletePage(input: $input) { pageId } }", {
    pageId: pages[2],
  });
  await call("mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }", {
    lessonId,
    title: "Константы",
    ...content("Константу объявляют словом const."),
  });
  return { ...classroom, snapshotId };
}

/** Snapshots of a course: the list, one of them, its differences, and the question before restoring. */
export const snapshots: Screen[] = [
  {
    name: "snapshots",
    open: async (page, sample) => {
      const { owner, courseId } = await getKept(sample);
      await openAs(page, owner, snapshotsTab(courseId));
      await page.getByRole("link", { name: "До переделки первого урока" }).waitFor();
    },
  },
  {
    name: "snapshots-empty",
    open: async (page, { server }) => {
      const { owner, courseId } = await createClassroom(server);
      await openAs(page, owner, snapshotsTab(courseId));
      await page.getByText("Снимков пока нет").waitFor();
    },
  },
  {
    name: "snapshot-quiz",
    open: async (page, sample) => {
      const { owner, courseId, snapshotId, quizId } = await getKept(sample);
      await openAs(page, owner, `${snapshotsTab(courseId)}&snapshot=${snapshotId}&page=${quizId}`);
      await page.getByText("Сколько бит в числе типа u16?").waitFor();
    },
  },
  {
    name: "snapshot-changes",
    open: async (page, sample) => {
      const { owner, courseId, snapshotId } = await getKept(sample);
      await openAs(page, owner, `${snapshotsTab(courseId)}&snapshot=${snapshotId}&view=changes`);
      await page.getByRole("button", { name: "Сравнить: Переменные" }).waitFor();
    },
  },
  {
    name: "snapshot-restore",
    open: async (page, sample) => {
      const { owner, courseId, snapshotId } = await getKept(sample);
      await openAs(page, owner, `${snapshotsTab(courseId)}&snapshot=${snapshotId}`);
      await page.getByRole("button", { name: "Восстановить", exact: true }).click();
      await page.getByText("Уйдёт в корзину", { exact: true }).waitFor();
    },
  },
];
