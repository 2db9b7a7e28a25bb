import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admin, Server } from "../../scripts/server.mjs";
import { signIn, storedTheme } from "./app.ts";
import {
  expectAccessible,
  expectFineEverywhere,
  expectNoSidewaysScroll,
  newTab,
  resize,
  signedIn,
  sizes,
  wear,
  withBrowser,
} from "./browser.ts";
import { person } from "./people.ts";
import { screens } from "./screens.ts";
import { type Stage, setStage, show } from "./stage.ts";

let stage: Stage;

withBrowser();
beforeAll(async () => {
  stage = await setStage(await Server.start());
});
afterAll(() => stage?.server.stop());

test.each(screens)("$name is accessible and fits at every size, in both themes", async (screen) => {
  const { page } = await show(screen, stage, "phone");
  expect(await page.title()).not.toBe("");
  await expectFineEverywhere(page, screen.name);
});

// The demo course shows what pages are made of: code, tables, images, call-outs. What is scrolled and how colours meet is the
// same on a desk, so the phone is asked for that, and the others only whether it fits.
test("every page of the demo course is accessible and fits", { timeout: 300_000 }, async () => {
  const { page } = await newTab(stage.server, { size: "phone", token: stage.learner.token });
  for (const id of stage.pages) {
    await resize(page, sizes.phone);
    await page.goto(`/view-page/${id}`);
    await page.getByRole("article").waitFor();
    const title = await page.title();
    await wear(page, "light");
    await expectAccessible(page, `${title}, light`);
    await wear(page, "dark");
    await expectAccessible(page, `${title}, dark`);
    for (const size of Object.values(sizes)) {
      await resize(page, size);
      await expectNoSidewaysScroll(page, title);
    }
  }
});

describe("the theme", () => {
  test("is light until somebody chooses, and the choice is kept under «theme»", async () => {
    const { page } = await signedIn(stage.server, stage.newcomer);
    await page.goto("/");
    const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
    expect(await scheme()).toBe("light");
    await page.getByRole("button", { name: /тем/i }).click();
    await expect.poll(scheme).toBe("dark");
    expect(await storedTheme(page)).toBe("dark");
    await page.reload();
    expect(await scheme()).toBe("dark");
  });

  test("stays light for who has a dark system but never chose", async () => {
    const { page } = await newTab(stage.server);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/login");
    expect(await page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("light");
  });
});

describe("unknown paths", () => {
  test("show the way back", async () => {
    const { page } = await signedIn(stage.server, stage.learner);
    await page.goto("/no/such/path");
    await page.getByRole("heading", { name: "Упс!" }).waitFor();
    await page.getByText("Страница, которую вы ищете, не найдена.").waitFor();
    await page.getByRole("link", { name: "Вернуться на главную" }).click();
    await page.waitForURL(`${stage.server.url}/`);
  });
});

describe("a screen that cannot be loaded", () => {
  test("says so and can show why", async () => {
    const { page, troubles } = await newTab(stage.server);
    const loaded = new Set<string>();
    page.on("request", (request) => loaded.add(request.url()));
    await page.goto("/login");
    await signIn(page, stage.learner.email, stage.learner.password);
    const course = page.locator(`a[href="/view-course/${stage.course.course_id}"]`).first();
    await course.waitFor();
    // Whatever the app needs from here on is gone from the server, as after an update.
    const known = new Set(loaded);
    await page.route("**/assets/**", (route) =>
      known.has(route.request().url()) ? route.continue() : route.abort(),
    );
    await course.click();
    await page.getByText("Something went wrong!").waitFor();
    await page.getByRole("button", { name: /показать/i }).click();
    await page.getByRole("button", { name: /скрыть/i }).waitFor();
    // React reports what its error boundary caught; that is the test's doing.
    troubles.length = 0;
  });
});

describe("the number of a page of courses", () => {
  test("is 1 when it is no number, and leads through what somebody teaches", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kurso-book-"));
    const teacher = await person(stage.server, "Сидорова Мария Ильинична");
    try {
      await mkdir(join(folder, "src"));
      await writeFile(join(folder, "book.toml"), '[book]\ntitle = "Маленький курс"\n');
      await writeFile(join(folder, "src/SUMMARY.md"), "# Summary\n\n- [Страница](page.md)\n");
      await writeFile(join(folder, "src/page.md"), "# Страница\n\nТекст.\n");
      for (let made = 0; made < 21; made++) await stage.server.import(folder, teacher.email);
    } finally {
      await rm(folder, { recursive: true });
    }
    const { page } = await signedIn(stage.server, teacher);
    const courses = page.locator('main a[href^="/edit-course/"]');
    await page.goto("/?page=abc");
    await page.getByText("1 из 2", { exact: true }).waitFor();
    expect(await courses.count()).toBe(20);
    await page.getByRole("link", { name: "Вперёд" }).click();
    await page.getByText("2 из 2", { exact: true }).waitFor();
    expect(await courses.count()).toBe(1);
    expect(new URL(page.url()).search).toBe("?page=2");
  });
});

describe("the interface", () => {
  test("is Russian until somebody chooses English, and the choice is kept", async () => {
    const { page } = await newTab(stage.server, { locale: "en-US" });
    const language = () => page.locator("html").getAttribute("lang");
    await page.goto("/login");
    await page.getByRole("button", { name: "Войти" }).waitFor();
    expect(await language()).toBe("ru");
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("button", { name: "Log in" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Log in" }).waitFor();
    expect(await language()).toBe("en");
    // What the server says is in the same language.
    await page.getByLabel("Email", { exact: true }).fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("wrong password");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("alert").getByText("Incorrect email or password").waitFor();
  });

  test("loads no code from anywhere but its own server", async () => {
    const { page } = await signedIn(stage.server, { ...admin });
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).origin));
    await page.goto(`/view-page/${stage.pages[0]}`);
    await page.getByRole("article").waitFor();
    expect([...hosts]).toEqual([stage.server.url]);
  });
});
