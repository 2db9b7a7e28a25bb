import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const SOURCES = path.resolve(import.meta.dirname, "..");

/** The number of arguments of a call, whose text begins after its opening bracket. */
function argumentsOf(text: string): number {
  let depth = 0;
  let commas = 0;
  for (const sign of text) {
    if ("([{".includes(sign)) depth += 1;
    else if (depth === 0 && sign === ")") break;
    else if (")]}".includes(sign)) depth -= 1;
    else if (depth === 0 && sign === ",") commas += 1;
  }
  return commas + 1;
}

// Vite moves the `then` of a dynamic import behind the loading of its style sheets. Only a `catch` after it handles their failure.
test("a failed style sheet of a dynamic import is handled", () => {
  const found = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(path.join(SOURCES, name), "utf8");
      return [...text.matchAll(/import\(\s*"[^"]+"\s*\)\s*\.then\(/g)]
        .filter(({ 0: call, index }) => argumentsOf(text.slice(index + call.length)) > 1)
        .map(({ 0: call }) => `${name}: ${call}`);
    });
  expect(found).toEqual([]);
});
