import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, Server } from "../../scripts/server.mjs";
import { expectAccessible, newTab, withBrowser } from "./browser.ts";

let server: Server;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
});
afterAll(() => server?.stop());

/** The documentation in a tab that reaches no other host; what it asked for elsewhere. */
async function docs(path = "/docs", theme: "light" | "dark" = "light") {
  const { page } = await newTab(server, { theme });
  const elsewhere: string[] = [];
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(server.url) || url.startsWith("data:")) return route.continue();
    elsewhere.push(url);
    return route.abort();
  });
  await page.goto(path);
  await page.locator(".opblock").first().waitFor();
  return { page, elsewhere };
}

describe("the API's documentation", () => {
  // A refusal of the content security policy is an error in the console, which fails any test here.
  test("lists every operation, with nothing from anywhere else", async () => {
    const document = JSON.parse(await readFile(join(root, "openapi.json"), "utf8"));
    const operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const { page, elsewhere } = await docs();
    const shown = await page
      .locator(".opblock")
      .evaluateAll((blocks) =>
        blocks.map(
          (block) =>
            `${block.querySelector(".opblock-summary-method")?.textContent} ` +
            `${block.querySelector(".opblock-summary-path")?.getAttribute("data-path")}`,
        ),
      );
    expect(shown.sort()).toEqual(operations.sort());
    expect(elsewhere).toEqual([]);
  });

  test("tries a call out", async () => {
    const { page } = await docs();
    const call = page.locator(".opblock", { has: page.locator('[data-path="/api/v1/utils/health-check/"]') });
    await call.locator(".opblock-summary-control").click();
    await call.getByRole("button", { name: "Try it out" }).click();
    await call.getByRole("button", { name: "Execute" }).click();
    await call.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor();
  });

  test.each(["light", "dark"] as const)("is accessible in the %s theme", async (theme) => {
    const { page } = await docs("/docs/", theme);
    // Swagger UI has buttons inside a summary that is a button itself, and titles at the level of their size.
    await expectAccessible(page, `the documentation, ${theme}`, {
      known: {
        "nested-interactive": ".opblock-summary-control",
        "heading-order": "h3, h4",
        region: ".swagger-ui *",
      },
    });
  });
});
