import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { root } from "../../scripts/server.mjs";

/** Counts the actions that a task takes: each click, key and chosen file is one; typed text is not counted. Takes screenshots on the way. */
export function walk(page: Page, person: string) {
  const shots = join(root, "target/walks");
  let actions = 0;
  let pictures = 0;
  return {
    act: async (done: Promise<unknown>) => {
      actions += 1;
      await done;
    },
    photograph: async () => {
      await mkdir(shots, { recursive: true });
      pictures += 1;
      await page.screenshot({ path: join(shots, `${person}-${pictures}.png`) });
    },
    actions: () => actions,
  };
}
