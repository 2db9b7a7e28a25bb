import { expect, type Locator, type Page } from "@playwright/test";
import { ids } from "./classroom.ts";

export function question(page: Page, kind: keyof typeof ids): Locator {
  return page.locator(`#question-${ids[kind]}`);
}

/** The correct pairs of the matching question of `everyKind`. */
export const correctPairs = {
  "cargo new": "создаёт проект",
  "cargo build": "собирает проект",
  "cargo doc": "собирает документацию",
};
/** The correct order of its ordering question. */
export const correctOrder = ["u8", "u16", "u32", "u64"];

/** The rows of the ordering question, in the order shown. */
export function orderingRows(page: Page): Locator {
  return question(page, "ordering").getByRole("list", { name: "Порядок" }).getByRole("listitem");
}

export async function orderingTexts(page: Page): Promise<string[]> {
  return (await orderingRows(page).allInnerTexts()).map((text) => text.trim());
}

/** Answers every question of `everyKind` correctly and submits, with the keyboard alone. The focus is before the first question. */
export async function answerWithKeyboard(page: Page): Promise<void> {
  const focused = () =>
    page.evaluate(() => (document.activeElement?.getAttribute("aria-label") ?? "").replaceAll("\u00a0", " "));
  const press = (key: string) => page.keyboard.press(key);
  // The button that folds the sidebar, then the second option of the first question.
  await press("Tab");
  await press("Tab");
  await press("Space");
  await press("ArrowDown");
  await press("Tab");
  await press("Space");
  await press("Tab");
  await press("Tab");
  await press("Space");
  await press("Tab");
  await press("Tab");
  await page.keyboard.type("Cargo");
  await press("Tab");
  await page.keyboard.type("16");
  await press("Tab");
  // Select a slot, then a card for it. The app moves the focus to the cards and back.
  for (const [left, right] of Object.entries(correctPairs)) {
    await expect.poll(focused).toBe(`Пара к «${left}»: пусто`);
    await press("Enter");
    for (let tries = 0; (await focused()) !== right && tries < 5; tries += 1) await press("Tab");
    await expect.poll(focused).toBe(right);
    await press("Enter");
    await expect.poll(focused).toBe(`Пара к «${left}»: ${right}`);
    await expect(
      question(page, "matching").getByRole("status").getByText(`«${right}» — пара к «${left}»`),
    ).toBeAttached();
    await press("Tab");
    await expect.poll(focused).toMatch(/^Убрать/);
    await press("Tab");
  }
  // Place the rows from last to first. An order that is correct by chance counts as an answer only after a move.
  let isMoved = (await orderingTexts(page)).join() !== correctOrder.join();
  for (const name of [...correctOrder].reverse()) {
    for (let tries = 0; !(await focused()).startsWith(`Ниже: ${name}`) && tries < 12; tries += 1) {
      await press("Shift+Tab");
      if ((await focused()).startsWith("Убрать")) break;
    }
    if ((await focused()).startsWith("Убрать")) {
      for (let tries = 0; (await focused()) !== `Ниже: ${name}` && tries < 12; tries += 1) await press("Tab");
    }
    await expect.poll(focused).toBe(`Ниже: ${name}`);
    const wanted = correctOrder.indexOf(name);
    if (!isMoved) {
      await press("ArrowUp");
      isMoved = true;
    }
    for (let now = (await orderingTexts(page)).indexOf(name); now < wanted; now += 1)
      await press("ArrowDown");
    expect((await orderingTexts(page)).indexOf(name)).toBe(wanted);
  }
  for (let tries = 0; (await focused()) !== "Пропуск 1" && tries < 12; tries += 1) await press("Tab");
  await page.keyboard.type("владелец");
  await press("Tab");
  await press("ArrowDown");
  await press("ArrowDown");
  await press("Tab");
  await expect(page.locator(":focus")).toHaveText("Отправить ответы");
  await press("Enter");
}
