import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { demoBook, rustBook } from "../../scripts/books.mjs";
import { root, Server } from "../../scripts/server.mjs";
import { wear, withBrowser } from "./browser.ts";
import { photographed } from "./screens.ts";
import { type Stage, setStage, show } from "./stage.ts";

// Every screen in both themes, on a desk and on a phone, goes into shots/, which is not kept; the few that the documents show go into
// docs/screenshots/.
const shots = join(root, "shots");
const kept = join(root, "docs/screenshots");
const documented: Record<string, string> = {
  "view-page light desk": "reading.png",
  "home dark desk": "home-dark.png",
  "contents-open light phone": "contents-phone.png",
};

let stage: Stage;

// What went wrong may be what is photographed.
withBrowser({ asksConsole: false });
beforeAll(async () => {
  await mkdir(shots, { recursive: true });
  await mkdir(kept, { recursive: true });
  stage = await setStage(await Server.start(), rustBook ?? demoBook);
});
afterAll(() => stage?.server.stop());

describe.each(["desk", "phone"] as const)("%s", (size) => {
  test.each(photographed)("$name", async (screen) => {
    const { page } = await show(screen, stage, size, { touch: size === "phone" });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    for (const theme of ["light", "dark"] as const) {
      await wear(page, theme);
      await page.screenshot({ path: join(shots, `${screen.name}-${size}-${theme}.png`) });
      const name = documented[`${screen.name} ${theme} ${size}`];
      if (name) await page.screenshot({ path: join(kept, name) });
    }
  });
});
