import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ru } from "./ru";
import * as first from "./ru/first";

const SOURCES = path.resolve(import.meta.dirname, "..");
const LATER = Object.keys(ru).filter((name) => !(name in first));

/** Resolves a relative import to a file; undefined when it is not a module of the app. */
function resolve(from: string, specifier: string): string | undefined {
  const base = path.resolve(path.dirname(from), specifier);
  return ["", ".tsx", ".ts", "/index.ts"]
    .map((end) => base + end)
    .find((file) => /\.tsx?$/.test(file) && existsSync(file) && statSync(file).isFile());
}

/** Returns all modules that a route imports, statically or dynamically. */
function modulesOf(route: string): Map<string, string> {
  const found = new Map<string, string>();
  const queue = [route];
  for (const file of queue) {
    if (found.has(file) || /\/(i18n\/|routeTree)/.test(file)) continue;
    const text = readFileSync(file, "utf8");
    found.set(file, text);
    const code = text.replace(/import type [^;]*;/g, "");
    for (const [, specifier = ""] of code.matchAll(/(?:from|import\(|import) ?"(\.[^"]+)"/g)) {
      const target = resolve(file, specifier);
      if (target) queue.push(target);
    }
  }
  return found;
}

const routes = readdirSync(path.join(SOURCES, "routes"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".tsx"))
  .map((name) => path.join(SOURCES, "routes", name));

describe("the texts of a screen", () => {
  test.each(routes.map((route) => [path.relative(SOURCES, route), route]))(
    "%s loads the texts it shows",
    (_, route) => {
      const texts = [...modulesOf(route as string).values()];
      // The layout's own route loads the texts of the layout around a route.
      const layout = /\/_public\//.test(route as string) ? ["auth"] : [];
      const loads = new Set([
        ...layout,
        ...texts.flatMap((text) =>
          [...text.matchAll(/(?:loadTexts|withTexts)\([\s\S]{1,160}?(?:;|\.then|,\n {2}\w)/g)].flatMap(
            ([call]) => [...call.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name),
          ),
        ),
      ]);
      const shows = LATER.filter((name) =>
        texts.some((text) => new RegExp(`\\bt\\(\\s*["\`]${name}\\.`).test(text)),
      );
      expect(shows.filter((name) => !loads.has(name))).toEqual([]);
    },
  );
});

test("the app starts in Russian when the English texts cannot be loaded", async () => {
  vi.resetModules();
  vi.doMock("./en/first", () => {
    throw new Error("offline");
  });
  localStorage.setItem("language", "en");
  const { i18n, startI18n } = await import(".");
  await startI18n();
  expect(i18n.language).toBe("ru");
  expect(i18n.t("common.retry")).toBe("Повторить");
  localStorage.clear();
});
