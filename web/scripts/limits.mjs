// Writes src/limits.generated.ts: the bounds that forms check, from openapi.json, which has them from the core. `npm run generate` runs it.
//
// Each bounded field has constants named after it, such as TITLE_MAX. Where schemas bound a field of one name differently, the
// names begin with the schema: ITEM_CREATE_DESCRIPTION_MAX.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const web = join(import.meta.dirname, "..");

/** The keywords of bounds, with the ends of the names. @type {[keyword: string, end: string][]} */
const KEYWORDS = [
  ["minLength", "MIN"],
  ["minItems", "MIN"],
  ["minimum", "MIN"],
  ["maxLength", "MAX"],
  ["maxItems", "MAX"],
  ["maximum", "MAX"],
];

/** The name of a constant: `ItemCreate` and `full_name` as ITEM_CREATE and FULL_NAME. @param {string} name */
const upper = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();

/** The bounds by constant, each by schema. @type {Map<string, Map<string, number>>} */
const bounds = new Map();
const { schemas } = JSON.parse(readFileSync(join(web, "../openapi.json"), "utf8")).components;
for (const [schema, { properties }] of Object.entries(schemas)) {
  for (const [field, rules] of Object.entries(properties ?? {})) {
    for (const [keyword, end] of KEYWORDS) {
      const bound = rules[keyword];
      if (!Number.isSafeInteger(bound)) continue;
      const name = `${upper(field)}_${end}`;
      bounds.set(name, (bounds.get(name) ?? new Map()).set(schema, bound));
    }
  }
}

const lines = [...bounds].flatMap(([name, bySchema]) =>
  new Set(bySchema.values()).size === 1
    ? [`export const ${name} = ${[...bySchema.values()][0]};`]
    : [...bySchema].map(([schema, bound]) => `export const ${upper(schema)}_${name} = ${bound};`),
);
writeFileSync(join(web, "src/limits.generated.ts"), `${lines.join("\n")}\n`);
