import type { Locator, Page } from "playwright-core";

/** Drags by the mouse, from the middle of one thing to the middle of another. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = await middles(from, to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x, start.y + 8 * Math.sign(end.y - start.y), { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 12 });
  await settled(page);
  await page.mouse.up();
  await glided(page);
}

/** A finger that goes up or down from one thing to another, as the browser itself sees it. */
export async function swipe(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = await middles(from, to);
  const devtools = await page.context().newCDPSession(page);
  const at = (part: number) => [{ x: start.x, y: start.y + (end.y - start.y) * part }];
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let step = 1; step <= 12; step += 1) {
    await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step / 12) });
    await page.waitForTimeout(20);
  }
  await settled(page);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await glided(page);
}

async function middles(from: Locator, to: Locator) {
  await from.evaluate((element) => element.scrollIntoView({ block: "center" }));
  return [await middle(from), await middle(to)] as const;
}

async function middle(of: Locator) {
  const box = await of.boundingBox();
  if (!box) throw new Error("nothing to drag");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** What is dragged over is looked for once a frame, and a busy machine has few of them. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForTimeout(60);
}

/** What is dropped glides to its place. */
async function glided(page: Page): Promise<void> {
  await page.waitForTimeout(350);
  await settled(page);
}
