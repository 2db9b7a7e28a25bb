import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { login } from "../../scripts/client.mjs";
import { MailServer } from "../../scripts/mail-server.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import type { Account } from "./api.ts";

export { expect };

export const viewports = {
  phone: { width: 375, height: 812 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
} as const;
export type ViewportName = keyof typeof viewports;
export type Theme = "light" | "dark";

/** A page in a browser profile of its own. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  /**
   * Uncaught errors, violations of the content security policy, and console errors. They fail the test, unless the test
   * expects them and clears the list.
   */
  consoleErrors: string[];
}

export interface TabOptions {
  viewport?: ViewportName;
  theme?: Theme;
  /** Signs the tab in. */
  token?: string;
  locale?: string;
  /** A touch screen instead of a mouse. */
  touch?: boolean;
}

export type NewTab = (options?: TabOptions) => Promise<Tab>;
export type TabFor = (
  account: Pick<Account, "email" | "password">,
  options?: Pick<TabOptions, "viewport" | "theme">,
) => Promise<Tab>;

interface Options {
  /** The database of `server`. */
  database: "sqlite" | "postgres";
  /** Sends the mails of `server` to `mail`. Without it, the server writes them to the outbox in its data folder. */
  smtp: boolean;
  /** Fails a test whose tabs have `consoleErrors`. */
  checksConsole: boolean;
}

interface TestFixtures extends Options {
  instance: Instance;
  /** A server with an empty database. The tests of one file share it. */
  server: Server;
  /** The mails that `server` has sent; needs the option `smtp`. */
  mail: MailServer;
  /** The access token of the superuser. */
  adminToken: string;
  newTab: NewTab;
  /** Opens a tab in a new session of an account. */
  tabFor: TabFor;
}

interface WorkerFixtures {
  instances: Instances;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  database: ["sqlite", { option: true }],
  smtp: [false, { option: true }],
  checksConsole: [true, { option: true }],

  instances: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the needed fixtures from this pattern
    async ({}, use) => {
      const instances = new Instances();
      await use(instances);
      await instances.stop();
    },
    { scope: "worker" },
  ],

  instance: async ({ instances, database, smtp }, use, { file }) => {
    await use(await instances.get(file, { database, smtp }));
  },

  server: async ({ instance }, use) => {
    await use(instance.server);
  },

  mail: async ({ instance }, use) => {
    if (!instance.mail) throw new Error("the fixture `mail` needs test.use({ smtp: true })");
    await use(instance.mail);
  },

  adminToken: async ({ instance, server }, use) => {
    instance.adminToken ??= login(server.url, admin.email, admin.password);
    await use(await instance.adminToken);
  },

  newTab: async ({ browser, server, checksConsole }, use) => {
    const tabs: Tab[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({
        baseURL: server.url,
        viewport: viewports[options.viewport ?? "desktop"],
        locale: options.locale ?? "ru-RU",
        reducedMotion: "reduce",
        ...(options.touch && { hasTouch: true, isMobile: true }),
      });
      await storeBeforeFirstPage(context, options);
      const tab: Tab = { context, page: await context.newPage(), consoleErrors: [] };
      recordConsoleErrors(tab);
      tabs.push(tab);
      return tab;
    });
    await Promise.all(tabs.map(({ context }) => context.close()));
    if (checksConsole)
      expect(
        tabs.flatMap((tab) => tab.consoleErrors),
        "console errors",
      ).toEqual([]);
  },

  tabFor: async ({ server, newTab }, use) => {
    await use(async ({ email, password }, options) =>
      newTab({ ...options, token: await login(server.url, email, password) }),
    );
  },
});

interface Instance {
  server: Server;
  mail?: MailServer | undefined;
  adminToken?: Promise<string>;
}

/** The running server of a worker. Each test file gets a new one, so that its tests do not depend on other files. */
class Instances {
  #key = "";
  #current: Instance | undefined;

  async get(file: string, { database, smtp }: Pick<Options, "database" | "smtp">): Promise<Instance> {
    const key = `${file} ${database} ${smtp}`;
    if (this.#current && this.#key === key) return this.#current;
    await this.stop();
    const mail = smtp ? await MailServer.start() : undefined;
    const settings = mail && { KURSO_SMTP_URL: mail.url };
    this.#current = { mail, server: await Server.start({ database, ...(settings && { settings }) }) };
    this.#key = key;
    return this.#current;
  }

  async stop(): Promise<void> {
    const stopped = this.#current;
    this.#current = undefined;
    await stopped?.server.stop();
    await stopped?.mail?.stop();
  }
}

/** Stores the token and the theme once per tab. What the app itself stores or removes later stays as the app left it. */
async function storeBeforeFirstPage(context: BrowserContext, { token, theme }: TabOptions): Promise<void> {
  if (token === undefined && theme === undefined) return;
  await context.addInitScript(
    ({ token, theme }) => {
      if (sessionStorage.getItem("prepared")) return;
      sessionStorage.setItem("prepared", "yes");
      if (token !== undefined) localStorage.setItem("access_token", token);
      if (theme !== undefined) localStorage.setItem("theme", theme);
    },
    { token, theme },
  );
}

function recordConsoleErrors({ page, consoleErrors }: Tab): void {
  page.on("pageerror", (error) => consoleErrors.push(`uncaught: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    // The browser itself logs failed requests. Tests that provoke one check what the screen shows.
    const isFailedRequest = /^(Failed to load resource|WebSocket connection to)/.test(message.text());
    // The trace recorder fetches the images of blob: URLs, which the content security policy of the app forbids.
    const isTraceRecorder = message.text().startsWith("Connecting to 'blob:");
    if (!isFailedRequest && !isTraceRecorder) consoleErrors.push(`console: ${message.text()}`);
  });
}

/** The background operations of the bell, which every screen sends at some time. */
const BACKGROUND = new Set(["NoticeClock", "StoreNoticeClock"]);

/** The names of the GraphQL operations that a screen sends, in order. */
export function recordOperations(page: Page): string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/graphql")) return;
    const body = request.postDataJSON() as { operationName?: string } | null;
    const name = body?.operationName ?? "(unnamed)";
    if (!BACKGROUND.has(name)) names.push(name);
  });
  return names;
}
