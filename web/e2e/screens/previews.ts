import { graphql, post } from "../../../scripts/client.mjs";
import { enroll, generateShareCode, signUp, visit } from "../api.ts";
import { everyKind } from "../classroom.ts";
import type { SampleData, Screen } from "../sample-data.ts";

interface Previewed {
  courseId: string;
  /** The beginning of the addresses of a preview as a student who has read some pages. */
  asStudent: string;
  /** A page that the student has read, a quiz, and a page that opens later. */
  pages: { read: string; quiz: string; locked: string };
}

const created = new WeakMap<SampleData, Promise<Previewed>>();

/** A copy of the course with dates in another zone, and one student; created once per server. */
function getPreviewed(sample: SampleData): Promise<Previewed> {
  const data = created.get(sample) ?? createPreviewed(sample);
  created.set(sample, data);
  return data;
}

async function createPreviewed({ server, tokens, course, courseTitle }: SampleData): Promise<Previewed> {
  const owner = { token: tokens.superuser };
  const rest = (path: string, body: object = {}) =>
    post(server.url, `/api/v1/courses/${path}`, body, owner.token);
  const call = (query: string, variables: object) =>
    graphql(server.url, owner.token, query, { ...variables });
  const { id: courseId } = await rest(`duplicate_course/${course.course_id}`);
  await call("mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }", {
    input: { courseId, title: `${courseTitle}, вечерний поток`, timeZone: "Asia/Yekaterinburg" },
  });
  const tree = "query ($id: ID!) { course(id: $id) { modules { id lessons { id pages { id } } } } }";
  const [first, second] = (await call(tree, { id: courseId })).course.modules;
  const quiz = { title: "Проверьте себя", kind: "quiz", quiz: everyKind };
  const { id: quizId } = await rest(`create_page/${first.lessons[0].id}`, quiz);
  const page = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await call(page, { input: { pageId: quizId, dueAt: "2090-12-05" } });
  const change = "mutation ($input: UpdateModuleInput!) { updateModule(input: $input) { module { id } } }";
  await call(change, { input: { moduleId: first.id, dueAt: "2090-11-28" } });
  await call(change, {
    input: { moduleId: second.id, availableFrom: "2090-12-01T09:00", dueAt: "2090-12-12" },
  });
  const student = await signUp(server, "Белова Анна Сергеевна");
  await enroll(server, student, await generateShareCode(server, owner, courseId));
  const read = first.lessons[0].pages.map(({ id }: { id: string }) => id);
  for (const id of read) await visit(server, student, id);
  const list = "query ($id: ID!) { course(id: $id) { students { nodes { id } } } }";
  const [{ id }] = (await call(list, { id: courseId })).course.students.nodes;
  await rest(`create_group/${courseId}`, { title: "Вечерняя группа" });
  return {
    courseId,
    asStudent: `/preview/${courseId}/student-${id}/2090-11-30T07:00Z`,
    pages: { read: read[0], quiz: quizId, locked: second.lessons[0].pages[0].id },
  };
}

/** Opens a page of the preview; its contents without one. */
const screen = (name: string, page?: keyof Previewed["pages"]): Screen => ({
  name,
  viewer: "superuser",
  open: async (tab, sample) => {
    const { asStudent, pages } = await getPreviewed(sample);
    await tab.goto(page ? `${asStudent}/${pages[page]}` : asStudent);
    await tab.getByRole("region", { name: /Белова Анна/ }).waitFor();
    await tab.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    if (page === "quiz") await tab.getByText("В просмотре отвечать нельзя").waitFor();
  },
});

/** A course as its staff see it as one of its learners. */
export const previews: Screen[] = [
  screen("preview-course"),
  screen("preview-page", "read"),
  screen("preview-quiz", "quiz"),
  screen("preview-locked", "locked"),
  {
    name: "preview-progress",
    viewer: "superuser",
    open: async (page, sample) => {
      const { asStudent } = await getPreviewed(sample);
      await page.goto(`${asStudent}?tab=progress`);
      await page.locator("main dl").waitFor();
    },
  },
  {
    name: "preview-choice",
    viewer: "superuser",
    open: async (page, sample) => {
      const { asStudent } = await getPreviewed(sample);
      await page.goto(asStudent);
      await page.getByRole("button", { name: "Изменить" }).click();
      await page.getByRole("radio", { name: "Группа «Вечерняя группа»" }).waitFor();
      await page.getByLabel("Ближайшие даты курса").waitFor();
    },
  },
  {
    name: "preview-of-nobody",
    viewer: "superuser",
    open: async (page, sample) => {
      const { courseId } = await getPreviewed(sample);
      await page.goto(`/preview/${courseId}/group-${courseId}/now`);
      await page.getByRole("heading", { name: "Этой группы больше нет" }).waitFor();
    },
  },
  {
    name: "preview-refused",
    viewer: "learner",
    open: async (page, sample) => {
      await page.goto(`/preview/${sample.course.course_id}/new/now`);
      await page.getByRole("heading", { name: "Этот просмотр — для преподавателей" }).waitFor();
    },
  },
];
