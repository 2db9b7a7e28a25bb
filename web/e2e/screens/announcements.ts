import { graphql } from "../../../scripts/client.mjs";
import { type Announced, announce, createAnnounced, nudge, readAnnouncements } from "../announcements.ts";
import { paragraph } from "../page-editor.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

const created = new WeakMap<SampleData, Promise<Announced>>();

/** A course with pinned, read and scheduled announcements, created once per server. */
function getAnnounced(sample: SampleData): Promise<Announced> {
  const data = created.get(sample) ?? createWorld(sample);
  created.set(sample, data);
  return data;
}

const listItem = (text: string) => ({ type: "listItem", content: [paragraph(text)] });

async function createWorld({ server }: SampleData): Promise<Announced> {
  const world = await createAnnounced(server);
  const rules = await announce(world, {
    title: "Как устроен курс",
    isPinned: true,
    content: {
      type: "doc",
      content: [
        paragraph(
          "Каждую неделю открывается один модуль: три урока, тест и одно задание. Работы проверяем за два дня.",
        ),
        {
          type: "bulletList",
          content: [
            listItem("Вопросы по материалу задавайте на занятиях и в переписке с преподавателем."),
            listItem("Тест можно пройти дважды: засчитывается лучший результат."),
            listItem("Если не успеваете к сроку, напишите заранее — продлим."),
          ],
        },
      ],
    },
  });
  await announce(world, {
    title: "Разбор первого задания",
    text: "Чаще всего теряли баллы на заимствованиях: ссылка жила дольше значения. Разберём три работы подробно.",
  });
  await announce(world, {
    title: "Занятие в четверг переносится на пятницу, 4 декабря, в 18:00",
    text: "Ссылка на встречу прежняя. Запись выложим вечером того же дня, срок задания второй недели сдвинут на сутки.",
  });
  await announce(world, {
    title: "Открыт модуль о владении",
    text: "Начните с урока «Стек и куча»: на нём держится всё остальное.",
    publishAt: "2098-12-07T09:00",
  });
  await readAnnouncements(world, world.learner, rules);
  for (const other of world.others) await readAnnouncements(world, other, rules);
  await nudge(
    world,
    [world.others[0].fullName],
    "Вы записались на курс, но ещё не начали. Откройте первую страницу — дальше будет проще.",
  );
  return world;
}

/** Announcements: the course screen, the list, writing, and reminding students. */
export const announcements: Screen[] = [
  {
    name: "course-announcements",
    open: async (page, sample) => {
      const world = await getAnnounced(sample);
      await openAs(page, world.learner, `/view-course/${world.courseId}`);
      await page.getByRole("region", { name: "Объявления" }).waitFor();
    },
  },
  {
    name: "announcements",
    open: async (page, sample) => {
      const world = await getAnnounced(sample);
      await openAs(page, world.others[0], `/view-course/${world.courseId}/announcements`);
      await page.getByRole("article").first().waitFor();
    },
  },
  {
    name: "announcements-teacher",
    open: async (page, sample) => {
      const world = await getAnnounced(sample);
      await openAs(page, world.owner, `/view-course/${world.courseId}/announcements`);
      await page
        .getByText(/Прочитали/)
        .first()
        .waitFor();
    },
  },
  {
    name: "announcements-empty",
    open: async (page, sample) => {
      const { owner, server } = await getAnnounced(sample);
      const { createCourse } = await graphql(
        server.url,
        owner.token,
        "mutation ($title: String!) { createCourse(input: {title: $title}) { course { id } } }",
        { title: "Базы данных" },
      );
      await openAs(page, owner, `/view-course/${createCourse.course.id}/announcements`);
      await page.getByRole("heading", { name: "Объявлений пока нет" }).waitFor();
    },
  },
  {
    name: "announcement-writing",
    open: async (page, sample) => {
      const world = await getAnnounced(sample);
      await openAs(page, world.owner, `/view-course/${world.courseId}/announcements?write=new`);
      await page.getByRole("textbox", { name: "Заголовок" }).fill("Экзамен — 21 декабря");
      await page.getByRole("textbox", { name: "Текст", exact: true }).click();
      await page.keyboard.type(
        "Начало в 10:00, продолжительность два часа. Черновики и конспекты можно взять с собой.",
      );
      await page.getByRole("radio", { name: /назначенное время/ }).check();
      await page.getByRole("textbox", { name: "День и время" }).fill("14.12.2098 9:00");
    },
  },
  {
    name: "students-nudge",
    open: async (page, sample) => {
      const world = await getAnnounced(sample);
      await openAs(page, world.owner, `/edit-course/${world.courseId}?tab=students&state=not-started`);
      await page.getByRole("button", { name: /^Напомнить\s\d/ }).click();
      await page.getByRole("textbox", { name: "Текст напоминания" }).waitFor();
    },
  },
  {
    name: "notices-announcements",
    open: async (page, sample) => {
      const world = await getAnnounced(sample);
      await openAs(page, world.others[0], "/notices");
      await page.getByRole("link", { name: /Вам напоминают/ }).waitFor();
    },
  },
];
