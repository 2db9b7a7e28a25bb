import type { Page } from "@playwright/test";
import { expect } from "../fixtures.ts";
import type { Screen } from "../sample-data.ts";
import { marks } from "../searchable.ts";

/** A word of the demo course and of the Rust book, in a form that makes the search compare forms. */
const WORD = "файлам";

/** The full-text search: its screen, the palette, and a page that opens at a found place. */
export const search: Screen[] = [
  {
    name: "search-blank",
    viewer: "learner",
    open: async (page) => {
      await page.goto("/search");
      await page.getByRole("heading", { name: "Что найти?" }).waitFor();
    },
  },
  {
    name: "search",
    viewer: "learner",
    open: async (page) => {
      await openResults(page);
    },
  },
  {
    name: "search-nothing",
    viewer: "learner",
    open: async (page, { course }) => {
      await page.goto(`/search?text=щщщщщ&course=${course.course_id}`);
      await page.getByRole("button", { name: "Искать во всех курсах" }).waitFor();
    },
  },
  {
    name: "palette-texts",
    viewer: "learner",
    open: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[0]}`);
      await page.getByRole("article").waitFor();
      await page.keyboard.press("Control+k");
      await page.locator("dialog[open] [role=combobox]").waitFor();
      await page.keyboard.insertText(WORD);
      await page.getByRole("group", { name: "На страницах этого курса" }).waitFor();
    },
  },
  {
    name: "view-page-found",
    viewer: "learner",
    open: async (page) => {
      await openResults(page);
      await page.getByRole("list", { name: "В тексте страниц" }).getByRole("link").nth(1).click();
      await page.getByRole("button", { name: "Снять отметку" }).waitFor();
      await expect.poll(async () => (await marks(page)).isVisible).toBe(true);
    },
  },
];

async function openResults(page: Page): Promise<void> {
  await page.goto(`/search?text=${encodeURIComponent(WORD)}`);
  await page.getByRole("list", { name: "В тексте страниц" }).waitFor();
}
