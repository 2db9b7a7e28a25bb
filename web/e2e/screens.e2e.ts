import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admin } from "../../scripts/server.mjs";
import {
  expectAccessibleEverywhere,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { signUp } from "./api.ts";
import { expect, viewports } from "./fixtures.ts";
import { test } from "./sample-data.ts";
import { screens } from "./screens/index.ts";
import { signIn, storedTheme } from "./ui.ts";

// Each worker has its own sample data, and no screen depends on another one.
test.describe.configure({ mode: "parallel" });

for (const screen of screens)
  test(`${screen.name} is accessible and fits at every size, in both themes`, async ({ openScreen }) => {
    const { page } = await openScreen(screen, { viewport: "phone" });
    await expect(page).not.toHaveTitle("");
    await expectAccessibleEverywhere(page, screen.name);
  });

// The pages of the demo course contain code, tables, images and callouts. Colors and scrollable blocks are the same in every
// viewport, so axe runs only on the phone.
test("every page of the demo course is accessible and fits at every size", async ({ newTab, sample }) => {
  test.setTimeout(300_000);
  const { page } = await newTab({ viewport: "phone", token: sample.learner.token });
  for (const id of sample.pages) {
    await resize(page, viewports.phone);
    await page.goto(`/view-page/${id}`);
    await expect(page.getByRole("article")).toBeVisible();
    const title = await page.title();
    await expectAccessibleInBothThemes(page, title);
    for (const size of Object.values(viewports)) {
      await resize(page, size);
      await expectNoHorizontalScroll(page, title);
    }
  }
});

test.describe("theme", () => {
  test("is light by default, and the choice is stored under «theme»", async ({ tabFor, sample }) => {
    const { page } = await tabFor(sample.newcomer);
    await page.goto("/");
    const html = page.locator("html");
    await expect(html).toHaveAttribute("data-theme", "light");
    await page.getByRole("button", { name: /тем/i }).click();
    await expect(html).toHaveAttribute("data-theme", "dark");
    expect(await storedTheme(page)).toBe("dark");
    await page.reload();
    await expect(html).toHaveAttribute("data-theme", "dark");
  });

  test("is light by default when the system theme is dark", async ({ newTab }) => {
    const { page } = await newTab();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/login");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  });
});

test.describe("unknown paths", () => {
  test("show an error with a link to the home screen", async ({ server, tabFor, sample }) => {
    const { page } = await tabFor(sample.learner);
    await page.goto("/no/such/path");
    await expect(page.getByRole("heading", { name: "Упс!" })).toBeVisible();
    await expect(page.getByText("Страница, которую вы ищете, не найдена.")).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Меню" }), "the layout stays").toBeVisible();
    await page.getByRole("link", { name: "Вернуться на главную" }).click();
    await page.waitForURL(`${server.url}/`);
  });

  test("show visitors the error without the menu", async ({ newTab }) => {
    const { page } = await newTab();
    await page.goto("/no/such/path");
    await expect(page.getByRole("heading", { name: "Упс!" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Меню" })).toBeHidden();
  });
});

test.describe("a screen that fails to load", () => {
  test("shows an error message with details on demand", async ({ newTab, sample }) => {
    const { page, consoleErrors } = await newTab();
    const loaded = new Set<string>();
    page.on("request", (request) => loaded.add(request.url()));
    await page.goto("/login");
    await signIn(page, sample.learner.email, sample.learner.password);
    const course = page.locator(`a[href="/view-course/${sample.course.course_id}"]`).first();
    await expect(course).toBeVisible();
    // Files that are not loaded yet are missing, as after an update of the server.
    const known = new Set(loaded);
    await page.route("**/assets/**", (route) =>
      known.has(route.request().url()) ? route.continue() : route.abort(),
    );
    await course.click();
    await expect(page.getByText("Something went wrong!")).toBeVisible();
    const message = page.getByText("This screen could not be loaded");
    await expect(message).toBeHidden();
    await page.getByRole("button", { name: "Сообщение об ошибке" }).click();
    await expect(message).toBeVisible();
    // React reports the error that the test provoked.
    consoleErrors.length = 0;
  });
});

test.describe("page number of the course list", () => {
  test("is 1 if it is invalid, and pages through the courses of a teacher", async ({ server, tabFor }) => {
    const folder = await mkdtemp(join(tmpdir(), "kurso-book-"));
    const teacher = await signUp(server, "Сидорова Мария Ильинична");
    try {
      await mkdir(join(folder, "src"));
      await writeFile(join(folder, "book.toml"), '[book]\ntitle = "Маленький курс"\n');
      await writeFile(join(folder, "src/SUMMARY.md"), "# Summary\n\n- [Страница](page.md)\n");
      await writeFile(join(folder, "src/page.md"), "# Страница\n\nТекст.\n");
      for (let created = 0; created < 21; created++) await server.import(folder, teacher.email);
    } finally {
      await rm(folder, { recursive: true });
    }
    const { page } = await tabFor(teacher);
    const courses = page.locator('main a[href^="/edit-course/"]');
    await page.goto("/?page=abc");
    await expect(page.getByText("1 из 2", { exact: true })).toBeVisible();
    await expect(courses).toHaveCount(20);
    await page.getByRole("link", { name: "Вперёд" }).click();
    await expect(page.getByText("2 из 2", { exact: true })).toBeVisible();
    await expect(courses).toHaveCount(1);
    await expect(page).toHaveURL(({ search }) => search === "?page=2");
  });
});

test.describe("interface", () => {
  test("is Russian by default, and keeps the choice of English", async ({ newTab }) => {
    const { page } = await newTab({ locale: "en-US" });
    await page.goto("/login");
    await expect(page.getByRole("button", { name: "Войти" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "ru");
    await page.getByRole("button", { name: "English" }).click();
    await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    // Messages of the server are in the same language.
    await page.getByLabel("Email", { exact: true }).fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("wrong password");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert").getByText("Incorrect email or password")).toBeVisible();
  });

  test("loads no code from other hosts", async ({ server, tabFor, sample }) => {
    const { page } = await tabFor({ ...admin });
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).origin));
    await page.goto(`/view-page/${sample.pages[0]}`);
    await expect(page.getByRole("article")).toBeVisible();
    expect([...hosts]).toEqual([server.url]);
  });
});
