import { test } from "vitest";
import { Server } from "../../scripts/server.mjs";
import { makeCourse, openOutline, row, outline } from "./authoring.ts";
import { signedIn, withBrowser } from "./browser.ts";
import { person } from "./people.ts";
withBrowser();
test("look", async () => {
  const server = await Server.start();
  try {
    const who = await person(server);
    const id = await makeCourse(server, who, "Основы программирования на Rust", {
      "Первые шаги": { "Установка": ["Что понадобится", "Установка на Linux", "Проверка"], "Привет, мир": ["Первая программа", null] },
      "Переменные и типы": { "Переменные": ["Изменяемость", "Затенение"], "Типы данных": [] },
    });
    const { page, troubles } = await signedIn(server, who);
    await openOutline(page, id);
    await page.waitForTimeout(500);
    await page.screenshot({ path: "/tmp/courses/outline.png" });
    await row(page, "Страница «Установка на Linux»").focus();
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowDown");
    await page.waitForTimeout(300);
    await page.screenshot({ path: "/tmp/courses/selected.png" });
    await page.keyboard.press("Escape");
    await row(page, "Страница «Затенение»").focus();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("Константы");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(500);
    await page.screenshot({ path: "/tmp/courses/draft.png" });
    await page.keyboard.press("Escape");
    await row(page, "Модуль «Первые шаги»").getByRole("button", { name: /Действия/ }).click();
    await page.waitForTimeout(300);
    await page.screenshot({ path: "/tmp/courses/menu.png" });
    await page.keyboard.press("Escape");
    await page.goto(`/edit-course/${id}?tab=settings`);
    await page.getByRole("heading", { name: "О курсе" }).waitFor();
    await page.waitForTimeout(500);
    await page.screenshot({ path: "/tmp/courses/settings.png", fullPage: true });
    await page.goto("/");
    await page.waitForTimeout(800);
    await page.screenshot({ path: "/tmp/courses/home.png", fullPage: true });
    console.log(troubles);
  } finally { await server.stop(); }
});
