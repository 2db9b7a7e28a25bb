import type { Locator, Page } from "@playwright/test";

/** Drags with the mouse from the center of one element to the center of another. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = await centers(from, to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x, start.y + 8 * Math.sign(end.y - start.y), { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 12 });
  await dropTargetFound(page);
  await page.mouse.up();
  await dropFinished(page);
}

/** Drags with a finger up or down from the center of one element to the center of another. */
export async function touchDrag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = await centers(from, to);
  const devtools = await page.context().newCDPSession(page);
  const at = (part: number) => [{ x: start.x, y: start.y + (end.y - start.y) * part }];
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let step = 1; step <= 12; step += 1) {
    await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step / 12) });
    await frames(page, 2);
  }
  await dropTargetFound(page);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await dropFinished(page);
}

async function centers(from: Locator, to: Locator) {
  await from.evaluate((element) => element.scrollIntoView({ block: "center" }));
  return [await center(from), await center(to)] as const;
}

async function center(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not visible`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Waits until the drag library has seen the pointer over the target: it looks once per frame. */
async function dropTargetFound(page: Page): Promise<void> {
  await frames(page, 6);
}

/** Waits until the drag library has removed its drag marks and the drop animations have ended. */
async function dropFinished(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector("[data-dnd-dragging], [data-dnd-dropping], [data-dnd-placeholder]") === null &&
      document
        .getAnimations()
        .every(
          ({ playState, effect }) =>
            playState !== "running" || effect?.getComputedTiming().endTime === Infinity,
        ),
  );
  await frames(page, 2);
}

async function frames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
  }, count);
}
