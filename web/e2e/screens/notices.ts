import { answer, createDiscussion, type Discussion } from "../discussion.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { openAs } from "./class.ts";

const created = new WeakMap<SampleData, Promise<Discussion>>();

/** A person with unread notices, created once per server. */
function getDiscussion(sample: SampleData): Promise<Discussion> {
  const data = created.get(sample) ?? createAnswered(sample);
  created.set(sample, data);
  return data;
}

async function createAnswered({ server }: SampleData): Promise<Discussion> {
  const discussion = await createDiscussion(server, 3);
  for (const thread of discussion.threads) await answer(discussion, thread, "Да, пример нужен.");
  return discussion;
}

/** Notices: the list, the panel, and the settings. */
export const notices: Screen[] = [
  {
    name: "notices",
    open: async (page, sample) => {
      await openAs(page, (await getDiscussion(sample)).reviewer, "/notices");
      await page
        .getByRole("main")
        .getByRole("link", { name: /новых ответа|новый ответ|новых ответов/ })
        .waitFor();
    },
  },
  {
    name: "notices-empty",
    viewer: "newcomer",
    open: async (page) => {
      await page.goto("/notices?view=unread");
      await page.getByRole("heading", { name: "Всё прочитано" }).waitFor();
    },
  },
  {
    name: "notices-panel",
    open: async (page, sample) => {
      await openAs(page, (await getDiscussion(sample)).reviewer, "/trash");
      await page.getByRole("button", { name: /^Уведомления/ }).click();
      await page.getByRole("link", { name: /новых ответа|новый ответ|новых ответов/ }).waitFor();
    },
  },
  {
    name: "settings-notices",
    open: async (page, sample) => {
      await openAs(page, (await getDiscussion(sample)).reviewer, "/settings/notices");
      await page.getByRole("heading", { name: "Исключения для курсов" }).waitFor();
    },
  },
  {
    name: "unsubscribe-dead",
    open: async (page) => {
      await page.goto("/unsubscribe/not.a.token");
      await page.getByRole("heading", { name: "Ссылка больше не действует" }).waitFor();
    },
  },
];
