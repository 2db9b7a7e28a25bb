import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphql } from "../../scripts/client.mjs";
import { admin } from "../../scripts/server.mjs";
import { expectAccessible } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";

const CHAPTERS = 300;

/** Writes a book whose chapters become lessons of one page. */
async function writeBook(folder: string) {
  const numbers = Array.from({ length: CHAPTERS }, (_, at) => at + 1);
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "book.toml"), '[book]\ntitle = "Длинный курс"\nlanguage = "ru"\n');
  await Promise.all(
    numbers.map((one) => writeFile(join(folder, `src/${one}.md`), `# Глава ${one}\n\nТекст.\n`)),
  );
  const links = numbers.map((one) => `- [Глава ${one}](${one}.md)`);
  await writeFile(join(folder, "src/SUMMARY.md"), ["# Summary", "", ...links, ""].join("\n"));
}

test("a long table of dates renders the rows in sight, and the keyboard reaches and edits all of them", async ({
  server,
  adminToken,
  newTab,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "kurso-long-"));
  await writeBook(folder);
  const { course_id: id } = await server.import(folder, admin.email);
  await rm(folder, { recursive: true });
  const { page } = await newTab({ token: adminToken });
  await page.goto(`/edit-course/${id}?tab=dates`);
  const grid = page.getByRole("grid", { name: "Даты курса" });
  // The course, its module, and a lesson and a page for each chapter.
  const rows = 2 + 2 * CHAPTERS;
  await expect(grid).toHaveAttribute("aria-rowcount", String(rows + 1));
  expect(await grid.locator("tbody tr[data-kind]").count()).toBeLessThan(80);
  await expectAccessible(page, "a long table of dates");

  const first = grid.locator('[data-cell="0-0"]');
  await first.focus();
  await page.keyboard.press("Control+End");
  const last = grid.locator(`[data-cell="${rows - 1}-3"]`);
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.type("05.12.2027 10:00");
  await page.keyboard.press("Enter");
  const due = grid.locator(`[data-cell="${rows - 1}-1"]`);
  await expect(due).toHaveText("05.12.2027 10:00");
  await expect(due).toBeFocused();
  const stored = async () => {
    const query = "query ($id: ID!) { course(id: $id) { modules { lessons { pages { dueAt } } } } }";
    const { course } = await graphql(server.url, adminToken, query, { id });
    return course.modules[0].lessons.at(-1).pages[0].dueAt;
  };
  await expect.poll(stored).toBe("2027-12-05T10:00:00Z");

  // The focus stays on its row while another part of the table is in sight.
  await page.mouse.wheel(0, -1_000_000);
  await expect(first).toBeInViewport();
  await expect(due).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(grid.locator(`[data-cell="${rows - 2}-1"]`)).toBeInViewport();
});
