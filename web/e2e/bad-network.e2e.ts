import type { BrowserContext, Page } from "@playwright/test";
import { demoBook } from "../../scripts/books.mjs";
import { admin } from "../../scripts/server.mjs";
import { courseTree, enroll, signUp } from "./api.ts";
import { row, storedOutline } from "./course-outline.ts";
import { expect, type Tab, test } from "./fixtures.ts";
import { contentField, createCourseWithPages, storedPage } from "./page-editor.ts";
import { Random } from "./random.ts";
import { meaningOf, RandomEdits } from "./random-edits.ts";
import { field, scrollToEnd } from "./ui.ts";

/**
 * A learner reads and an author writes while the network comes and goes at random moments. Neither reloads a screen. Every screen
 * must appear with its styles, and at the end the server must have everything that was read and written. KURSO_NETWORK_SECONDS is
 * the length, KURSO_NETWORK_SEED repeats the moments of an earlier run; playwright.config.ts chooses a seed when it is not set.
 */
const SECONDS = Number(process.env.KURSO_NETWORK_SECONDS ?? 40);
const SEED = Number(process.env.KURSO_NETWORK_SEED);
/** The network is there often enough for every screen to load within this time. */
const SCREEN_TIMEOUT_MS = 60_000;

test(`everything arrives over a network that comes and goes (seed ${SEED})`, async ({
  server,
  adminToken,
  tabFor,
}) => {
  test.setTimeout((SECONDS + 300) * 1000);
  const course = await server.import(demoBook, admin.email);
  const reader = await signUp(server);
  await enroll(server, reader, course.share_code);
  const { modules } = await courseTree(server, reader.token, course.course_id);
  const pages = modules.flatMap((one) => one.lessons.flatMap((lesson) => lesson.pages.map(({ id }) => id)));
  const own = await createCourseWithPages(server, adminToken);
  const tabs = { learner: await tabFor(reader), author: await tabFor(admin) };
  const learner = new Learner(tabs.learner, new Random(SEED), course.course_id, pages);
  const stored = () => storedOutline(server, { token: adminToken }, own.courseId);
  const author = new Author(tabs.author, new Random(SEED + 1), own, stored);

  await Promise.all([learner.open(), author.open()]);
  const until = Date.now() + SECONDS * 1000;
  const network = new Network([tabs.learner.context, tabs.author.context], new Random(SEED + 2));
  try {
    await Promise.all([learner.walk(until), author.walk(until), network.comeAndGo(until)]);
  } finally {
    await network.restore();
  }

  const visited = async () => {
    const tree = await courseTree(server, reader.token, course.course_id);
    const all = tree.modules.flatMap((one) => one.lessons.flatMap((lesson) => lesson.pages));
    return all.filter(({ id, isVisited }) => learner.read.has(id) && !isVisited).map(({ id }) => id);
  };
  await expect
    .poll(visited, { message: "pages read but not recorded", timeout: SCREEN_TIMEOUT_MS })
    .toEqual([]);
  const page = async () => meaningOf((await storedPage(server, adminToken, own.pageId)).content);
  await expect
    .poll(page, { message: "the written page", timeout: SCREEN_TIMEOUT_MS })
    .toEqual(author.written);
  const titles = (await stored()).join("\n");
  for (const title of author.titles) expect(titles, "the titles of new pages").toContain(title);
  for (const tab of Object.values(tabs)) {
    await expect(tab.page.getByText("Нет соединения")).toHaveCount(0);
    // The app reports the failures that the network causes; anything else stays and fails the test.
    const { consoleErrors } = tab;
    consoleErrors.splice(0, Infinity, ...consoleErrors.filter((error) => error.startsWith("uncaught:")));
  }
  process.stdout.write(
    `bad network: ${SECONDS} s (seed ${SEED}), ${network.failures} failures, ${learner.screens + author.screens} screens, ` +
      `${learner.read.size} pages read, ${author.characters} characters written, ${author.titles.length} pages added\n`,
  );
});

/** Takes the network away from browser contexts and gives it back, at random moments. */
class Network {
  failures = 0;

  constructor(
    readonly contexts: BrowserContext[],
    readonly random: Random,
  ) {}

  async comeAndGo(until: number): Promise<void> {
    while (Date.now() < until) {
      await pause(this.random.between(300, 7000));
      this.failures += 1;
      await this.#setOffline(true);
      await pause(this.random.between(100, 5000));
      await this.#setOffline(false);
    }
  }

  restore(): Promise<void> {
    return this.#setOffline(false);
  }

  async #setOffline(isOffline: boolean): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.setOffline(isOffline)));
  }
}

/** Somebody who goes from screen to screen by its links. */
abstract class Walker {
  screens = 0;
  protected readonly page: Page;

  constructor(
    tab: Tab,
    protected readonly random: Random,
  ) {
    this.page = tab.page;
    tab.context.setDefaultTimeout(SCREEN_TIMEOUT_MS);
  }

  abstract round(): Promise<void>;

  async open(): Promise<void> {
    await this.page.goto("/");
  }

  async walk(until: number): Promise<void> {
    while (Date.now() < until) await this.round();
  }

  protected async goHome(): Promise<void> {
    const menu = this.page.getByRole("navigation", { name: "Меню" });
    await menu.getByRole("link", { name: "Мои курсы" }).click();
    await this.page.waitForURL((url) => url.pathname === "/");
  }

  /** Waits for what tells the screen, and checks its styles: those of the shell, and that every class has some. */
  protected async expectScreen(name: string, sign: ReturnType<Page["locator"]>): Promise<void> {
    const look = async () => {
      await expect(sign, name).toBeVisible();
      expect(await this.page.evaluate(classesWithoutStyles), `${name}: classes without styles`).toEqual([]);
      const shell = this.page.locator("#root aside").first();
      const position = await shell.evaluate((one) => getComputedStyle(one).position);
      expect(position, `${name}: the sidebar`).toBe("fixed");
    };
    // The app reloads the page when the code of a screen could not be loaded, which may interrupt a look.
    await expect(look).toPass({ timeout: SCREEN_TIMEOUT_MS });
    this.screens += 1;
  }
}

class Learner extends Walker {
  readonly read = new Set<string>();

  constructor(
    tab: Tab,
    random: Random,
    readonly courseId: string,
    readonly pages: string[],
  ) {
    super(tab, random);
  }

  async round(): Promise<void> {
    const { page, random } = this;
    await this.goHome();
    const course = page.getByRole("main").locator(`a[href="/view-course/${this.courseId}"]`).first();
    await this.expectScreen("the home screen", course);
    await course.click();
    await this.expectScreen("the course", page.getByRole("main").locator('a[href^="/view-page/"]').first());
    const link = page.getByRole("main").locator(`a[href="/view-page/${random.pick(this.pages)}"]`);
    const expand = page.getByRole("button", { name: "Развернуть всё" });
    if (!(await link.first().isVisible()) && (await expand.isVisible())) await expand.click();
    await link.first().click();
    for (let pages = random.between(1, 4); pages > 0; pages -= 1) {
      await this.#readPage();
      const next = page.getByRole("main").getByRole("link", { name: /^Дальше/ });
      if (pages === 1 || !(await next.isVisible())) break;
      const before = page.url();
      await next.click();
      await page.waitForURL((url) => url.href !== before);
    }
  }

  async #readPage(): Promise<void> {
    const { page } = this;
    await expect(page).toHaveURL(/\/view-page\//);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await this.expectScreen("a page", page.getByRole("article"));
    await scrollToEnd(page);
    // Only a page whose end stays in view for a moment counts as read: a picture that arrives late moves it away.
    await pause(1500);
    if (!(await page.evaluate(isAtEnd))) return;
    const kind = await page
      .getByRole("article")
      .getByRole("radio")
      .or(page.getByRole("button", { name: "Отправить" }))
      .count();
    if (kind === 0) this.read.add(id);
  }
}

class Author extends Walker {
  /** The meaning of the page as the editor showed it last. */
  written: unknown = null;
  readonly titles: string[] = [];
  readonly #edits: RandomEdits;

  constructor(
    tab: Tab,
    random: Random,
    readonly course: { courseId: string; pageId: string },
    readonly storedTitles: () => Promise<string[]>,
  ) {
    super(tab, random);
    this.#edits = new RandomEdits(tab.page, random);
  }

  get characters(): number {
    return this.#edits.characters;
  }

  async round(): Promise<void> {
    const { page } = this;
    await this.goHome();
    const course = page.getByRole("main").locator(`a[href="/edit-course/${this.course.courseId}"]`).first();
    await this.expectScreen("the home screen", course);
    await course.click();
    await this.expectScreen("the outline", row(page, "Страница «Страница»"));
    await this.#addPage();
    // In a long run the new page is far below, and a long outline renders only the rows in view.
    await page.evaluate(() => window.scrollTo(0, 0));
    await row(page, "Страница «Страница»").press("Enter");
    await this.#write();
    await page.getByRole("main").locator(`a[href="/edit-course/${this.course.courseId}"]`).first().click();
    await this.expectScreen("the outline after writing", row(page, "Страница «Страница»"));
    await page.getByRole("link", { name: "Настройки", exact: true }).first().click();
    await this.expectScreen("the settings", page.getByRole("button", { name: "Создать код" }));
  }

  /** Adds a page in the outline. A title that could not be saved is back in its field, and is sent again. */
  async #addPage(): Promise<void> {
    const { page } = this;
    const title = this.random.word();
    const input = field(page, "Название страницы");
    await page.getByRole("button", { name: "Страница: добавить в урок «Первый урок»" }).first().click();
    await input.fill(title);
    await input.press("Enter");
    const isStored = async () => (await this.storedTitles()).some((line) => line.includes(title));
    await expect(async () => {
      if (await isStored()) return;
      if ((await input.isVisible()) && (await input.inputValue()) === title) await input.press("Enter");
      expect(await isStored(), `the new page ${title} is stored`).toBe(true);
    }).toPass({ timeout: SCREEN_TIMEOUT_MS });
    this.titles.push(title);
    if (await input.isVisible()) await input.press("Escape");
  }

  async #write(): Promise<void> {
    const { page, random } = this;
    await page.waitForURL((url) => url.pathname === `/edit-page/${this.course.pageId}`);
    await this.expectScreen("the editor", contentField(page));
    const offer = page.getByRole("button", { name: "Вернуть его" });
    const shown = async () => {
      if (await offer.isVisible()) await offer.click();
      return meaningOf(await this.#edits.shown());
    };
    if (this.written)
      await expect
        .poll(shown, { message: "the page as it was left", timeout: SCREEN_TIMEOUT_MS })
        .toEqual(this.written);
    await contentField(page).focus();
    await this.#edits.edit(random.between(500, 4000));
    this.written = meaningOf(await this.#edits.shown());
  }
}

/** Runs in the browser: whether the end of the document is in view. */
function isAtEnd(): boolean {
  return window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 1;
}

/** Runs in the browser: the class names of the app's own modules on the screen that no loaded style sheet mentions. */
function classesWithoutStyles(): string[] {
  const styled = new Set<string>();
  const collect = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule)
        for (const [, name] of rule.selectorText.matchAll(/\.([\w-]+)/g)) styled.add(String(name));
      if ("cssRules" in rule) collect(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of document.styleSheets) collect(sheet.cssRules);
  const used = new Set([...document.querySelectorAll("#root [class]")].flatMap((one) => [...one.classList]));
  return [...used].filter((name) => name.startsWith("_") && !styled.has(name));
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
