import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { ids } from "./quizzes.ts";

export function question(page: Page, kind: keyof typeof ids): Locator {
  return page.locator(`#question-${ids[kind]}`);
}

/** What passes the quiz of every kind: the words of the pairs in the order of the left sides. */
export const rights = {
  "cargo new": "создаёт проект",
  "cargo build": "собирает проект",
  "cargo doc": "собирает документацию",
};
export const order = ["u8", "u16", "u32", "u64"];

export function rows(page: Page): Locator {
  return question(page, "ordering").getByRole("list", { name: "Порядок" }).getByRole("listitem");
}

export async function rowTexts(page: Page): Promise<string[]> {
  return (await rows(page).allInnerTexts()).map((text) => text.trim());
}

/** Answers each kind of question rightly and hands the quiz in, from a focus before its first question, by keys alone. */
export async function answerByKeys(page: Page): Promise<void> {
  const focused = () =>
    page.evaluate(() => (document.activeElement?.getAttribute("aria-label") ?? "").replaceAll("\u00a0", " "));
  const press = (key: string) => page.keyboard.press(key);
  // Into the first question, and down to the second option.
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
  // A place, then its card; the focus goes back and forth by itself.
  for (const [left, right] of Object.entries(rights)) {
    expect(await focused()).toBe(`Пара к «${left}»: пусто`);
    await press("Enter");
    for (let tries = 0; (await focused()) !== right && tries < 5; tries += 1) await press("Tab");
    expect(await focused()).toBe(right);
    await press("Enter");
    expect(await focused()).toBe(`Пара к «${left}»: ${right}`);
    await question(page, "matching")
      .getByRole("status")
      .getByText(`«${right}» — пара к «${left}»`)
      .waitFor({ state: "attached" });
    await press("Tab");
    expect(await focused()).toMatch(/^Убрать/);
    await press("Tab");
  }
  // From the bottom up: what belongs last goes last. Shown in the right order by chance, it is still no answer until it is touched.
  let isTouched = (await rowTexts(page)).join() !== order.join();
  for (const name of [...order].reverse()) {
    for (let tries = 0; !(await focused()).startsWith(`Ниже: ${name}`) && tries < 12; tries += 1) {
      await press("Shift+Tab");
      if ((await focused()).startsWith("Убрать")) break;
    }
    if ((await focused()).startsWith("Убрать")) {
      for (let tries = 0; (await focused()) !== `Ниже: ${name}` && tries < 12; tries += 1) await press("Tab");
    }
    expect(await focused()).toBe(`Ниже: ${name}`);
    const wanted = order.indexOf(name);
    if (!isTouched) {
      await press("ArrowUp");
      isTouched = true;
    }
    for (let now = (await rowTexts(page)).indexOf(name); now < wanted; now += 1) await press("ArrowDown");
    expect((await rowTexts(page)).indexOf(name)).toBe(wanted);
  }
  for (let tries = 0; (await focused()) !== "Пропуск 1" && tries < 12; tries += 1) await press("Tab");
  await page.keyboard.type("владелец");
  await press("Tab");
  await press("ArrowDown");
  await press("ArrowDown");
  await press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Отправить ответы");
  await press("Enter");
}
