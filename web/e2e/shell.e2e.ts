import type { Page } from "@playwright/test";
import { admin } from "../../scripts/server.mjs";
import { expectAccessible } from "./accessibility.ts";
import { expect, recordOperations, type Tab, type TabFor } from "./fixtures.ts";
import { test as base } from "./sample-data.ts";
import { contents, signIn, toast } from "./ui.ts";

const palette = (page: Page) => page.getByRole("dialog", { name: "Поиск и команды" });
const option = (page: Page, name: string | RegExp) => palette(page).getByRole("option", { name });

interface Fixtures {
  /** Opens the home screen, as the learner unless another account is given. */
  openHome: (account?: Parameters<TabFor>[0]) => Promise<Tab>;
}

const test = base.extend<Fixtures>({
  openHome: async ({ sample, tabFor }, use) => {
    await use(async (account = sample.learner) => {
      const tab = await tabFor(account);
      await tab.page.goto("/");
      await expect(tab.page.getByRole("heading", { level: 1, name: "Мои курсы" })).toBeVisible();
      return tab;
    });
  },
});

/** Presses Ctrl+K with the Russian keyboard layout: the same key produces «л». */
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

test.describe("command palette", () => {
  test("opens with Ctrl+K and Ctrl+Л, closes with Escape, and restores the focus", async ({ openHome }) => {
    const { page } = await openHome();
    const code = page.getByLabel("Код курса", { exact: true });
    await code.focus();
    for (const open of [() => page.keyboard.press("Control+k"), () => pressCtrlCyrillicK(page)]) {
      await open();
      await expect(page.locator("dialog[open] [role=combobox]")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(palette(page)).toHaveCount(0);
      await expect(code).toBeFocused();
    }
  });

  test("opens a page found by its title with the keyboard, with one request for titles and one for texts", async ({
    sample,
    openHome,
  }) => {
    const { page } = await openHome();
    const operations = recordOperations(page);
    await page.keyboard.press("Control+k");
    await expect(option(page, sample.courseTitle)).toBeVisible();
    operations.length = 0;
    await page.keyboard.insertText(sample.pageTitle.toUpperCase());
    const found = option(page, new RegExp(`^${sample.pageTitle}`)).first();
    await expect(found).toBeVisible();
    await expect(found).toHaveAttribute("aria-selected", "true");
    const combobox = palette(page).getByRole("combobox");
    await expect(combobox).toHaveAttribute(
      "aria-activedescendant",
      (await found.getAttribute("id")) ?? "no id",
    );
    expect(operations).toEqual(["PaletteSearch", "PaletteContent"]);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.startsWith("/view-page/"));
    await expect(page.getByRole("heading", { level: 1, name: sample.pageTitle })).toBeVisible();
    await expect(palette(page)).toHaveCount(0);
  });

  test("changes the theme and the language, and signs out", async ({ openHome }) => {
    const { page } = await openHome();
    await page.keyboard.press("Control+k");
    await expect(page.locator("dialog[open] [role=combobox]")).toBeVisible();
    await page.keyboard.insertText("темн");
    await expect(option(page, "Тёмная тема")).toBeVisible();
    await page.keyboard.press("Enter");
    const scheme = () => page.locator("html").getAttribute("data-theme");
    await expect.poll(scheme).toBe("dark");

    await page.keyboard.press("Control+k");
    await expect(page.locator("dialog[open] [role=combobox]")).toBeVisible();
    await page.keyboard.insertText("english");
    await expect(option(page, /English/)).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "My courses" })).toBeVisible();

    await page.keyboard.press("Control+k");
    await expect(page.locator("dialog[open] [role=combobox]")).toBeVisible();
    // The search finds commands by their Russian names too.
    await page.keyboard.insertText("выход");
    await expect(page.locator("dialog[open] [role=option]", { hasText: "Log out" })).toBeVisible();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/login");
  });

  test("opens /items for authors, and administration for superusers only", async ({ openHome, sample }) => {
    const learner = await openHome();
    await learner.page.keyboard.press("Control+k");
    await expect(option(learner.page, "Записаться по коду")).toBeVisible();
    await expect(option(learner.page, "Элементы")).toHaveCount(0);

    const author = await openHome(sample.newcomer);
    await author.page.keyboard.press("Control+k");
    await option(author.page, "Элементы").click();
    await author.page.waitForURL((url) => url.pathname === "/items");
    await author.page.goBack();
    await author.page.keyboard.press("Control+k");
    await expect(option(author.page, /^Настройки$/)).toBeVisible();
    await expect(option(author.page, "Администрирование")).toHaveCount(0);

    const superuser = await openHome(admin);
    await superuser.page.keyboard.press("Control+k");
    await expect(option(superuser.page, "Администрирование")).toBeVisible();
  });

  test("shows an empty result and a failed search", async ({ openHome }) => {
    const { page } = await openHome();
    await page.keyboard.press("Control+k");
    await expect(page.locator("dialog[open] [role=combobox]")).toBeVisible();
    await page.keyboard.type("щщщ");
    await expect(palette(page).getByText("Ничего не нашлось")).toBeVisible();
    await expectAccessible(page, "the palette without a result");
    await page.route("**/graphql", (route) => route.abort());
    await page.getByRole("combobox").fill("настр");
    await expect(palette(page).getByText("Поиск сейчас недоступен. Действия работают.")).toBeVisible();
    await expect(option(page, /^Настройки$/)).toBeVisible();
  });

  test("opens from a button on a phone and fits the screen", async ({ tabFor, sample }) => {
    const { page } = await tabFor(sample.learner, { viewport: "phone" });
    await page.goto("/");
    await page.getByRole("button", { name: "Поиск и команды" }).click();
    await expect(option(page, sample.courseTitle)).toBeVisible();
    const box = await palette(page).boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 375).toBe(true);
  });
});

test.describe("menu", () => {
  test("contains only «Мои курсы», and «Администрирование» for superusers", async ({ sample, openHome }) => {
    for (const [account, entries] of [
      [sample.learner, ["Мои курсы"]],
      [admin, ["Мои курсы", "Администрирование"]],
    ] as const) {
      const { page } = await openHome(account);
      const menu = page.getByRole("navigation", { name: "Меню" });
      await expect(menu.getByText(String(entries.at(-1)))).toBeVisible();
      await expect(menu.getByRole("link")).toHaveText(entries);
    }
  });

  test("is a sidebar of at least 20rem on a desktop", async ({ openHome }) => {
    const { page } = await openHome();
    const box = await page.locator("aside").boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(320);
    expect(box?.x).toBe(0);
  });

  test("is a drawer on a phone and closes after navigation", async ({ tabFor, sample }) => {
    const { page } = await tabFor(sample.learner, { viewport: "phone" });
    await page.goto(`/view-page/${sample.pages[0]}`);
    await expect(page.getByRole("article")).toBeVisible();
    await page.getByRole("button", { name: "Открыть меню" }).click();
    const drawer = page.getByRole("dialog", { name: "Меню" });
    expect((await drawer.boundingBox())?.width).toBeGreaterThanOrEqual(320);
    await expect(contents(page).locator("a").last()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
    await page.getByRole("button", { name: "Открыть меню" }).click();
    await drawer.getByRole("link", { name: "Мои курсы" }).click();
    await expect(drawer).toBeHidden();
    await expect(page.getByRole("heading", { level: 1, name: "Мои курсы" })).toBeVisible();
  });
});

test.describe("a failing region", () => {
  test("does not affect the rest of the screen", async ({ tabFor, sample }) => {
    const { page, consoleErrors } = await tabFor(sample.learner);
    // Lessons of null break the course contents.
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
    await page.goto(`/view-page/${sample.pages[0]}`);
    await expect(page.getByRole("article")).toBeVisible();
    await expect(page.getByRole("complementary").getByText("Something went wrong!")).toBeVisible();
    await page.getByRole("link", { name: "Мои курсы" }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Мои курсы" })).toBeVisible();
    // React reports the error that the test provoked.
    consoleErrors.length = 0;
  });
});

test.describe("an update of the app on the server", () => {
  test("reloads the page once when the file of a screen is missing", async ({ server, newTab, sample }) => {
    const { page, consoleErrors } = await newTab();
    const loaded = new Set<string>();
    page.on("request", (request) => loaded.add(request.url()));
    await page.goto("/login");
    await signIn(page, sample.learner.email, sample.learner.password);
    const course = page.locator(`a[href="/view-course/${sample.course.course_id}"]`).first();
    await expect(course).toBeVisible();
    const known = new Set(loaded);
    // The old files are missing, and the index names new ones.
    let reloads = 0;
    await page.route("**/assets/**", (route) =>
      reloads > 0 || known.has(route.request().url()) ? route.continue() : route.abort(),
    );
    await page.route(`${server.url}/`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: "<!doctype html><script src=/assets/new.js></script>" });
    });
    // The app starts before the "load" event.
    page.on("domcontentloaded", () => {
      reloads += 1;
    });
    await course.click();
    await expect(page.getByRole("heading", { level: 1, name: sample.courseTitle })).toBeVisible();
    expect(reloads).toBe(1);
    consoleErrors.length = 0;
  });
});

test.describe("before any script or style sheet has loaded", () => {
  for (const [theme, color] of [
    ["light", "rgb(251, 250, 248)"],
    ["dark", "rgb(24, 23, 21)"],
  ] as const)
    test(`the page and the browser's bar are ${theme}`, async ({ newTab }) => {
      const { page } = await newTab({ theme });
      await page.route("**/assets/*.{js,css}", (route) => route.abort());
      await page.goto("/login");
      const [background, bar] = await page.evaluate(() => [
        getComputedStyle(document.body).backgroundColor,
        document.querySelector<HTMLMetaElement>("meta[name=theme-color]")?.content,
      ]);
      expect(background).toBe(color);
      expect(bar).toBe(theme === "dark" ? "#181715" : "#fbfaf8");
    });

  test("a placeholder shows the headings at their final places", async ({ newTab, tabFor, sample }) => {
    const account = await tabFor(sample.learner);
    for (const { tab, path, mark } of [
      { tab: await newTab({ viewport: "phone" }), path: "/login", mark: "Вход" },
      { tab: account, path: "/", mark: "Мои курсы" },
    ]) {
      const { page, consoleErrors } = tab;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route("**/assets/*.{js,css}", async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(path, { waitUntil: "commit" });
      const early = page.locator(".first").getByText(mark, { exact: true });
      await expect(early).toBeVisible();
      const before = await early.locator("..").boundingBox();
      release();
      const heading = page.getByRole("heading", { level: 1, name: mark });
      await expect(heading).toBeVisible();
      const after = await heading.boundingBox();
      await expect(page.locator(".first")).toHaveCount(0);
      for (const side of ["x", "y", "height"] as const)
        expect(Math.abs((before?.[side] ?? 0) - (after?.[side] ?? 0)), `${path} ${side}`).toBeLessThan(2);
      expect(consoleErrors).toEqual([]);
    }
  });

  test("the page has the first style sheet, and the app does not fetch it again", async ({
    tabFor,
    sample,
  }) => {
    const { page } = await tabFor(sample.learner);
    const sheets: string[] = [];
    page.on("request", (request) => {
      const path = new URL(request.url()).pathname;
      if (path.endsWith(".css")) sheets.push(path);
    });
    // A part of the screen that loads on demand, with its style sheets.
    const later = page.waitForResponse("**/assets/Toaster-*.css");
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await later;
    expect(sheets.filter((path) => path.startsWith("/assets/app-"))).toEqual([]);
  });

  test("the data of the screen is requested, and not requested again by the app", async ({
    tabFor,
    sample,
  }) => {
    const { page } = await tabFor(sample.learner);
    const operations = recordOperations(page);
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto(`/view-page/${sample.pages[1]}`, { waitUntil: "load" });
    expect(operations.toSorted()).toEqual(["Me", "PageCourse", "ReadingPage"]);
    await page.unroute("**/assets/*.js");
    const requested: string[] = [];
    page.on("request", (request) => {
      if (!request.url().endsWith("/graphql")) return;
      const { operationName, variables } = request.postDataJSON();
      // The neighbouring pages are prefetched.
      if (!variables?.id || variables.id === sample.pages[1]) requested.push(operationName);
    });
    await page.reload();
    await expect(page.getByRole("heading", { level: 1, name: sample.pageTitle })).toBeVisible();
    const once = requested.filter((name) => ["Me", "PageCourse", "ReadingPage"].includes(name));
    expect(once.toSorted()).toEqual(["Me", "PageCourse", "ReadingPage"]);
  });
});

test.describe("files that browsers request", () => {
  test("include icons and a manifest", async ({ server }) => {
    const index = await (await fetch(`${server.url}/login`)).text();
    expect(index).toContain('rel="manifest"');
    const answer = await fetch(`${server.url}/app.webmanifest`);
    expect(answer.headers.get("content-type")).toMatch(/^application\/manifest\+json/);
    const manifest = await answer.json();
    expect(manifest).toMatchObject({ name: "Kurso", lang: "ru", start_url: "/", display: "standalone" });
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(server.url + src);
      expect([icon.status, icon.headers.get("content-type")]).toEqual([200, type]);
    }
    for (const path of ["/favicon.ico", "/icons/apple-touch-icon.png"]) {
      expect((await fetch(server.url + path)).headers.get("content-type")).toMatch(/^image\//);
    }
  });
});

test.describe("print", () => {
  test("contains only the text of the page, in black on white", async ({ newTab, sample }) => {
    const { page } = await newTab({ theme: "dark", token: sample.learner.token });
    await page.goto(`/view-page/${sample.pages[1]}`);
    await expect(page.getByRole("article")).toBeVisible();
    await page.emulateMedia({ media: "print" });
    const printed = async () => ({
      article: await page.getByRole("article").isVisible(),
      menu: await page.getByRole("navigation", { name: "Меню" }).isVisible(),
      colour: await page.evaluate(() => getComputedStyle(document.body).color),
    });
    await expect
      .poll(printed, "the printed page")
      .toEqual({ article: true, menu: false, colour: "rgb(36, 34, 30)" });
    expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
  });
});

test.describe("toasts", () => {
  test("show a failure at the top end until they are closed", async ({ newTab }) => {
    const { page } = await newTab();
    await page.goto("/login");
    await signIn(page, "nobody@example.com", "wrong password");
    const shown = toast(page, "Что-то пошло не так!");
    await expect(shown).toBeVisible();
    const box = await shown.boundingBox();
    expect(box && box.y < 120 && box.x + box.width > 1440 - 40).toBe(true);
    await shown.getByRole("button", { name: "Закрыть" }).click();
    await expect(shown).toHaveCount(0);
  });
});
