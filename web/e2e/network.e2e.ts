import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Server } from "../../scripts/server.mjs";
import { eventually, field, pageLink, readToTheEnd, toast, waitForPage, waitUntilRead } from "./app.ts";
import { newTab, signedIn, withBrowser } from "./browser.ts";
import { enroll, person, tree } from "./people.ts";
import { type Stage, setStage } from "./stage.ts";

let stage: Stage;

withBrowser();
beforeAll(async () => {
  stage = await setStage(await Server.start());
});
afterAll(() => stage?.server.stop());

/** A learner who has read nothing yet, at the first page. */
async function reader() {
  const who = await person(stage.server);
  await enroll(stage.server, who, stage.course.share_code);
  const tab = await signedIn(stage.server, who);
  await tab.page.goto(`/view-page/${stage.pages[0]}`);
  await tab.page.getByRole("article").waitFor();
  await pageLink(tab.page, String(stage.pages[0])).waitFor();
  const read = async () => (await tree(stage.server, who.token, stage.course.course_id)).progress.pagesDone;
  return { ...tab, read };
}

describe("without a network", () => {
  test("a page read is told to the server when the network is back", async () => {
    const { page, context, read } = await reader();
    await context.setOffline(true);
    await page.getByText("Нет соединения. Показываем то, что уже загружено.").waitFor();
    await readToTheEnd(page);
    await page.getByText("Отметка о прочтении отправится, когда связь появится.").waitFor();
    expect(await read()).toBe(0);
    await context.setOffline(false);
    await eventually(read, 1, "the visit arrives");
    await waitUntilRead(page, String(stage.pages[0]));
  });

  test("a page that is not there yet waits for the network and then opens by itself", async () => {
    const { page, context } = await reader();
    const last = String(stage.pages.at(-1));
    await context.setOffline(true);
    await goWithinApp(page, last);
    await page.getByRole("heading", { name: "Нет соединения" }).waitFor();
    await context.setOffline(false);
    await page.getByRole("article").waitFor();
  });
});

describe("without a server", () => {
  test("what was typed stays, the failure is named, and «Повторить» goes on", async () => {
    const { page } = await newTab(stage.server);
    await page.goto("/signup");
    const typed = {
      Фамилия: "Сидорова",
      Имя: "Мария",
      Отчество: "Ильинична",
      Email: `maria-${Date.now()}@example.com`,
      Пароль: "12345678",
      "Подтверждение пароля": "12345678",
    };
    for (const [label, value] of Object.entries(typed)) await field(page, label).fill(value);
    await stage.server.pause();
    try {
      await page.getByRole("button", { name: "Зарегистрироваться" }).click();
      await toast(page, "Что-то пошло не так!").getByText("Сервер не отвечает").waitFor();
      for (const [label, value] of Object.entries(typed))
        expect(await field(page, label).inputValue()).toBe(value);
    } finally {
      await stage.server.resume();
    }
    await page.getByRole("button", { name: "Зарегистрироваться" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
  });

  test("a page that cannot be read says so, and «Повторить» brings it when the server is back", async () => {
    const { page } = await reader();
    const last = String(stage.pages.at(-1));
    await stage.server.pause();
    try {
      await goWithinApp(page, last);
      await page.getByRole("main").getByText("Сервер не отвечает").waitFor();
    } finally {
      await stage.server.resume();
    }
    await page.getByRole("main").getByRole("button", { name: "Повторить" }).click();
    await page.getByRole("article").waitFor();
  });
});

/** A move to a page that the app has not loaded anything of yet, as by Back and Forward. */
async function goWithinApp(page: Page, id: string): Promise<void> {
  await page.evaluate((path) => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/view-page/${id}`);
  await waitForPage(page, id);
}
