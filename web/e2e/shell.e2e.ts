import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admin, Server } from "../../scripts/server.mjs";
import { contents, eventually, signIn, toast } from "./app.ts";
import { expectAccessible, newTab, signedIn, watchOperations, withBrowser } from "./browser.ts";
import { type Stage, setStage } from "./stage.ts";

let stage: Stage;

withBrowser();
beforeAll(async () => {
  stage = await setStage(await Server.start());
});
afterAll(() => stage?.server.stop());

const palette = (page: Page) => page.getByRole("dialog", { name: "Поиск и команды" });
const option = (page: Page, name: string | RegExp) => palette(page).getByRole("option", { name });

async function home(who: { email: string; password: string } = stage.learner) {
  const tab = await signedIn(stage.server, who);
  await tab.page.goto("/");
  await tab.page.getByRole("heading", { level: 1, name: "Мои курсы" }).waitFor();
  return tab;
}

/** Ctrl+K as a Russian keyboard sends it: the same key with another letter. */
async function pressCtrlCyrillicK(page: Page) {
  await page.evaluate(() =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", {
        key: "л",
        code: "KeyK",
        ctrlKey: true,
        bubbles: true,
        cancelable: true,
      }),
    ),
  );
}

describe("the palette", () => {
  test("opens by Ctrl+K and Ctrl+Л, closes by Escape and gives the focus back", async () => {
    const { page } = await home();
    const code = page.getByLabel("Код курса", { exact: true });
    await code.focus();
    for (const open of [() => page.keyboard.press("Control+k"), () => pressCtrlCyrillicK(page)]) {
      await open();
      await page.locator("dialog[open] [role=combobox]").waitFor();
      await page.keyboard.press("Escape");
      await palette(page).waitFor({ state: "detached" });
      expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
    }
  });

  test("jumps to a page by its title, by the keyboard alone, with one question for a word", async () => {
    const { page } = await home();
    const operations = watchOperations(page);
    await page.keyboard.press("Control+k");
    await option(page, stage.courseTitle).waitFor();
    operations.length = 0;
    await page.keyboard.insertText(stage.pageTitle.toUpperCase());
    const found = option(page, new RegExp(`^${stage.pageTitle}`)).first();
    await found.waitFor();
    expect(await found.getAttribute("aria-selected")).toBe("true");
    const combobox = palette(page).getByRole("combobox");
    expect(await combobox.getAttribute("aria-activedescendant")).toBe(await found.getAttribute("id"));
    expect(operations).toEqual(["PaletteSearch"]);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.startsWith("/view-page/"));
    await page.getByRole("heading", { level: 1, name: stage.pageTitle }).waitFor();
    await palette(page).waitFor({ state: "detached" });
  });

  test("does what can be done: another theme, another language, the way out", async () => {
    const { page } = await home();
    await page.keyboard.press("Control+k");
    await page.locator("dialog[open] [role=combobox]").waitFor();
    await page.keyboard.insertText("темн");
    await option(page, "Тёмная тема").waitFor();
    await page.keyboard.press("Enter");
    const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
    await expect.poll(scheme).toBe("dark");

    await page.keyboard.press("Control+k");
    await page.locator("dialog[open] [role=combobox]").waitFor();
    await page.keyboard.insertText("english");
    await option(page, /English/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "My courses" }).waitFor();

    await page.keyboard.press("Control+k");
    await page.locator("dialog[open] [role=combobox]").waitFor();
    // The words of the other language are found too.
    await page.keyboard.insertText("выход");
    await page.locator("dialog[open] [role=option]", { hasText: "Log out" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/login");
  });

  test("is the way to /items, and to the administration for superusers only", async () => {
    const learner = await home();
    await learner.page.keyboard.press("Control+k");
    await option(learner.page, "Элементы").waitFor();
    expect(await option(learner.page, "Администрирование").count()).toBe(0);
    await option(learner.page, "Элементы").click();
    await learner.page.waitForURL((url) => url.pathname === "/items");

    const superuser = await home(admin);
    await superuser.page.keyboard.press("Control+k");
    await option(superuser.page, "Администрирование").waitFor();
  });

  test("says when nothing was found, and when the server cannot be asked", async () => {
    const { page } = await home();
    await page.keyboard.press("Control+k");
    await page.locator("dialog[open] [role=combobox]").waitFor();
    await page.keyboard.type("щщщ");
    await palette(page).getByText("Ничего не нашлось").waitFor();
    await expectAccessible(page, "the palette without a result");
    await page.route("**/graphql", (route) => route.abort());
    await page.getByRole("combobox").fill("настр");
    await palette(page).getByText("Поиск сейчас недоступен. Действия работают.").waitFor();
    await option(page, "Настройки").waitFor();
  });

  test("is a button on a phone, and fits", async () => {
    const { page } = await signedIn(stage.server, stage.learner, { size: "phone" });
    await page.goto("/");
    await page.getByRole("button", { name: "Поиск и команды" }).click();
    await option(page, stage.courseTitle).waitFor();
    const box = await palette(page).boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 375).toBe(true);
  });
});

describe("the menu", () => {
  test("has «Мои курсы», and «Администрирование» for superusers, and nothing else", async () => {
    for (const [who, entries] of [
      [stage.learner, ["Мои курсы"]],
      [admin, ["Мои курсы", "Администрирование"]],
    ] as const) {
      const { page } = await home(who);
      const menu = page.getByRole("navigation", { name: "Меню" });
      await menu.getByText(String(entries.at(-1))).waitFor();
      expect(await menu.getByRole("link").allInnerTexts()).toEqual(entries);
    }
  });

  test("stands beside the screen on a desk, 20rem wide at least", async () => {
    const { page } = await home();
    const box = await page.locator("aside").boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(320);
    expect(box?.x).toBe(0);
  });

  test("is a drawer on a phone, which a link leads away from", async () => {
    const { page } = await signedIn(stage.server, stage.learner, { size: "phone" });
    await page.goto(`/view-page/${stage.pages[0]}`);
    await page.getByRole("article").waitFor();
    await page.getByRole("button", { name: "Открыть меню" }).click();
    const drawer = page.getByRole("dialog", { name: "Меню" });
    expect((await drawer.boundingBox())?.width).toBeGreaterThanOrEqual(320);
    await contents(page).locator("a").last().waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Открыть меню" }).click();
    await drawer.getByRole("link", { name: "Мои курсы" }).click();
    await drawer.waitFor({ state: "hidden" });
    await page.getByRole("heading", { level: 1, name: "Мои курсы" }).waitFor();
  });
});

describe("a region that fails", () => {
  test("leaves the rest of the screen alone", async () => {
    const { page, troubles } = await signedIn(stage.server, stage.learner);
    // Contents without modules are what nobody foresaw.
    await page.route("**/graphql", async (route) => {
      const { operationName } = route.request().postDataJSON();
      if (operationName !== "PageCourse") return route.continue();
      const answer = await route.fetch();
      const body = await answer.json();
      body.data.page.course.modules = body.data.page.course.modules.map((module: object) => ({
        ...module,
        lessons: null,
      }));
      return route.fulfill({ response: answer, json: body });
    });
    await page.goto(`/view-page/${stage.pages[0]}`);
    await page.getByRole("article").waitFor();
    await page.getByRole("complementary").getByText("Something went wrong!").waitFor();
    await page.getByRole("link", { name: "Мои курсы" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Мои курсы" }).waitFor();
    // React reports what its error boundary caught; that is the test's doing.
    troubles.length = 0;
  });
});

describe("an app that was updated on the server", () => {
  test("loads the page anew, once, when the file of a screen is gone", async () => {
    const { page, troubles } = await newTab(stage.server);
    const loaded = new Set<string>();
    page.on("request", (request) => loaded.add(request.url()));
    await page.goto("/login");
    await signIn(page, stage.learner.email, stage.learner.password);
    const course = page.locator(`a[href="/view-course/${stage.course.course_id}"]`).first();
    await course.waitFor();
    const known = new Set(loaded);
    // The old files are gone, and the index names new ones.
    let reloads = 0;
    await page.route("**/assets/**", (route) =>
      reloads > 0 || known.has(route.request().url()) ? route.continue() : route.abort(),
    );
    await page.route(`${stage.server.url}/`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: "<!doctype html><script src=/assets/new.js></script>" });
    });
    // Not "load": the app begins before that.
    page.on("domcontentloaded", () => {
      reloads += 1;
    });
    await course.click();
    await page.getByRole("heading", { level: 1, name: stage.courseTitle }).waitFor();
    expect(reloads).toBe(1);
    troubles.length = 0;
  });
});

describe("before any script has come", () => {
  test.each([
    ["light", "rgb(251, 250, 248)"],
    ["dark", "rgb(24, 23, 21)"],
  ] as const)("the page is %s already, and so is the browser's bar", async (theme, colour) => {
    const { page } = await newTab(stage.server, { theme });
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto("/login");
    const [background, bar] = await page.evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      document.querySelector<HTMLMetaElement>("meta[name=theme-color]")?.content,
    ]);
    expect(background).toBe(colour);
    expect(bar).toBe(theme === "dark" ? "#181715" : "#fbfaf8");
  });

  test("the outline of the screen stands there, in the places of what comes", async () => {
    const who = await signedIn(stage.server, stage.learner);
    for (const { tab, path, mark } of [
      { tab: await newTab(stage.server, { size: "phone" }), path: "/login", mark: "Вход" },
      { tab: who, path: "/", mark: "Мои курсы" },
    ]) {
      const { page, troubles } = tab;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route("**/assets/*.js", async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(path, { waitUntil: "commit" });
      const early = page.locator(".first").getByText(mark, { exact: true });
      await early.waitFor();
      const before = await early.locator("..").boundingBox();
      release();
      const heading = page.getByRole("heading", { level: 1, name: mark });
      await heading.waitFor();
      const after = await heading.boundingBox();
      expect(await page.locator(".first").count()).toBe(0);
      for (const side of ["x", "y", "height"] as const)
        expect(Math.abs((before?.[side] ?? 0) - (after?.[side] ?? 0)), `${path} ${side}`).toBeLessThan(2);
      expect(troubles).toEqual([]);
    }
  });

  test("what the screen shows is asked for, and not once more when the app is there", async () => {
    const { page } = await signedIn(stage.server, stage.learner);
    const asked = watchOperations(page);
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto(`/view-page/${stage.pages[1]}`, { waitUntil: "load" });
    expect(asked.toSorted()).toEqual(["Me", "PageCourse", "ReadingPage"]);
    await page.unroute("**/assets/*.js");
    asked.length = 0;
    await page.reload();
    await page.getByRole("heading", { level: 1, name: stage.pageTitle }).waitFor();
    const once = asked.filter((name) => ["Me", "PageCourse", "ReadingPage"].includes(name));
    expect(once.toSorted()).toEqual(["Me", "PageCourse", "ReadingPage"]);
  });
});

describe("what a browser asks for", () => {
  test("is there: icons and a manifest", async () => {
    const index = await (await fetch(`${stage.server.url}/login`)).text();
    expect(index).toContain('rel="manifest"');
    const answer = await fetch(`${stage.server.url}/app.webmanifest`);
    expect(answer.headers.get("content-type")).toMatch(/^application\/manifest\+json/);
    const manifest = await answer.json();
    expect(manifest).toMatchObject({ name: "Kurso", lang: "ru", start_url: "/", display: "standalone" });
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(stage.server.url + src);
      expect([icon.status, icon.headers.get("content-type")]).toEqual([200, type]);
    }
    for (const path of ["/favicon.ico", "/icons/apple-touch-icon.png"]) {
      expect((await fetch(stage.server.url + path)).headers.get("content-type")).toMatch(/^image\//);
    }
  });
});

describe("on paper", () => {
  test("is the text of the page, in black on white, and nothing around it", async () => {
    const { page } = await newTab(stage.server, { theme: "dark", token: stage.learner.token });
    await page.goto(`/view-page/${stage.pages[1]}`);
    await page.getByRole("article").waitFor();
    await page.emulateMedia({ media: "print" });
    const looks = async () => ({
      article: await page.getByRole("article").isVisible(),
      menu: await page.getByRole("navigation", { name: "Меню" }).isVisible(),
      colour: await page.evaluate(() => getComputedStyle(document.body).color),
    });
    await eventually(looks, { article: true, menu: false, colour: "rgb(36, 34, 30)" }, "what is printed");
    expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
  });
});

describe("toasts", () => {
  test("say what failed, at the top end, and go when they are closed", async () => {
    const { page } = await newTab(stage.server);
    await page.goto("/login");
    await signIn(page, "nobody@example.com", "wrong password");
    const shown = toast(page, "Что-то пошло не так!");
    await shown.waitFor();
    const box = await shown.boundingBox();
    expect(box && box.y < 120 && box.x + box.width > 1440 - 40).toBe(true);
    await shown.getByRole("button", { name: "Закрыть" }).click();
    await shown.waitFor({ state: "detached" });
  });
});
