import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { root } from "../../scripts/server.mjs";
import { expectAccessible } from "./accessibility.ts";
import { signUp } from "./api.ts";
import { test as base, expect, type Theme } from "./fixtures.ts";

interface Fixtures {
  /** Opens the documentation in a tab that reaches no other host. `blocked` lists the requests to other hosts. */
  openDocs: (options?: {
    path?: string;
    theme?: Theme;
    token?: string;
  }) => Promise<{ page: Page; blocked: string[] }>;
}

const test = base.extend<Fixtures>({
  openDocs: async ({ server, newTab }, use) => {
    await use(async ({ path = "/docs", theme = "light", token } = {}) => {
      const { page } = await newTab({ theme, ...(token && { token }) });
      const blocked: string[] = [];
      await page.route("**/*", (route) => {
        const url = route.request().url();
        if (url.startsWith(server.url) || url.startsWith("data:")) return route.continue();
        blocked.push(url);
        return route.abort();
      });
      await page.goto(path);
      await expect(page.locator(".opblock").first()).toBeVisible();
      return { page, blocked };
    });
  },
});

type Paths = Record<string, Record<string, { tags: string[] }>>;

/** The operations of an OpenAPI document such as `GET /api/v1/users/me`; with a tag, only those that have it. */
const operationsOf = ({ paths }: { paths: Paths }, tag?: string) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => tag === undefined || operation.tags.includes(tag))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );

/** Texts that together find all operations, with those that each finds: the tags, and for a tag with many operations the beginnings of its paths. */
function partsOf(document: { paths: Paths; tags: { name: string }[] }): [string, string[]][] {
  return document.tags.flatMap(({ name }): [string, string[]][] => {
    const ofTag = operationsOf(document, name);
    if (ofTag.length <= 100) return [[name, ofTag]];
    const start = (operation: string) => /\/api\/v1(\/\w+\/?\w?)/.exec(operation)?.[1] ?? "";
    const starts = [...new Set(ofTag.map(start))];
    return starts.map((text) => [text, ofTag.filter((operation) => start(operation) === text)]);
  });
}

test.describe("API documentation", () => {
  // A violation of the content security policy is a console error, which fails every test here.
  test("lists every operation and loads nothing from other hosts", async ({ openDocs }) => {
    const document = JSON.parse(await readFile(join(root, "openapi.json"), "utf8"));
    const operations = operationsOf(document);
    const { page, blocked } = await openDocs();
    // A long list contains only the operations in view, so the operations are read in parts.
    const shown = new Set<string>();
    const filter = page.getByPlaceholder("Filter by tag or path");
    for (const [text, expected] of partsOf(document)) {
      await filter.fill(text);
      await expect
        .poll(async () => {
          const found = await page
            .locator(".opblock")
            .evaluateAll((blocks) =>
              blocks.map(
                (block) =>
                  `${block.querySelector(".opblock-summary-method")?.textContent} ` +
                  `${block.querySelector(".opblock-summary-path")?.getAttribute("data-path")}`,
              ),
            );
          for (const operation of found) shown.add(operation);
          return expected.filter((operation) => !found.includes(operation));
        })
        .toEqual([]);
    }
    expect([...shown].sort()).toEqual(operations.sort());
    expect(blocked).toEqual([]);
  });

  test("every operation has a summary that says what it does", async () => {
    const document: { paths: Record<string, Record<string, { summary: string }>> } = JSON.parse(
      await readFile(join(root, "openapi.json"), "utf8"),
    );
    const summaries = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ summary }) => summary),
    );
    // A title such as "Read Sessions" only repeats the name of the operation.
    const titles = summaries.filter((summary) => /^([A-Z][a-z]*)( [A-Z][a-z]*)*$/.test(summary));
    expect(titles.filter((title) => title.includes(" "))).toEqual([]);
    expect(new Set(summaries).size).toBe(summaries.length);
  });

  test("sends requests as the signed-in user, and leads back to the app", async ({ server, openDocs }) => {
    const account = await signUp(server);
    const { page } = await openDocs({ token: account.token });
    await expect(page.getByLabel(`От имени ${account.email}`)).toBeChecked();
    const call = page.locator(".opblock", { has: page.locator('[data-path="/api/v1/login/test-token"]') });
    await call.locator(".opblock-summary-control").click();
    await call.getByRole("button", { name: "Try it out" }).click();
    const execute = call.getByRole("button", { name: "Execute" });
    const status = call.locator(".live-responses-table td.response-col_status:not(.col_header)");
    await execute.click();
    await expect(status).toContainText("200");
    await expect(call.locator(".live-responses-table")).toContainText(account.email);
    await page.getByLabel(`От имени ${account.email}`).uncheck();
    await execute.click();
    await expect(status).toContainText("401");
    await page.getByRole("link", { name: "К курсам" }).click();
    await expect(page).toHaveURL("/");
  });

  test("switches the theme with the app", async ({ openDocs }) => {
    const { page } = await openDocs();
    await page.getByRole("button", { name: "Тёмная тема" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("dark");
  });

  test('sends a request with "Try it out"', async ({ openDocs }) => {
    const { page } = await openDocs();
    await page.getByPlaceholder("Filter by tag or path").fill("utils");
    const call = page.locator(".opblock", { has: page.locator('[data-path="/api/v1/utils/health-check/"]') });
    await call.locator(".opblock-summary-control").click();
    await call.getByRole("button", { name: "Try it out" }).click();
    await call.getByRole("button", { name: "Execute" }).click();
    await expect(
      call.locator(".live-responses-table .response-col_status", { hasText: "200" }),
    ).toBeVisible();
  });

  for (const theme of ["light", "dark"] as const)
    test(`is accessible in the ${theme} theme`, async ({ openDocs }) => {
      const { page } = await openDocs({ path: "/docs/", theme });
      // Swagger UI nests buttons in a button and chooses heading levels by size.
      await expectAccessible(page, `the documentation, ${theme}`, {
        known: {
          "nested-interactive": ".opblock-summary-control",
          "heading-order": "h3, h4",
          region: ".swagger-ui *",
        },
      });
    });
});
