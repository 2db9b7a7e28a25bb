// Writes src/limits.generated.ts: the bounds that forms check, from openapi.json, which has them from the core. `npm run generate` runs it.
//
// Each bounded field of a schema and each bounded query parameter has constants named after it, such as TITLE_MAX and SHIFT_DAYS_MAX.
// Where schemas or operations bound one name differently, the names begin with the schema or the operation: ITEM_CREATE_DESCRIPTION_MAX.
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

/**
 * The name of a constant: `ItemCreate`, `full_name` and `courses-duplicate_course` as ITEM_CREATE, FULL_NAME and COURSES_DUPLICATE_COURSE.
 * @param {string} name
 */
const upper = (name) =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, "_")
    .replaceAll("-", "_")
    .toUpperCase();

/** The bounds by constant, each by its schema or operation. @type {Map<string, Map<string, number>>} */
const bounds = new Map();

/** Notes the bounds of a field or parameter. @param {string} of @param {string} field @param {Record<string, unknown>} rules */
function note(of, field, rules) {
  for (const [keyword, end] of KEYWORDS) {
    const bound = rules[keyword];
    if (!Number.isSafeInteger(bound)) continue;
    const name = `${upper(field)}_${end}`;
    bounds.set(name, (bounds.get(name) ?? new Map()).set(of, Number(bound)));
  }
}

const { components, paths } = JSON.parse(readFileSync(join(web, "../openapi.json"), "utf8"));
for (const [schema, { properties }] of Object.entries(components.schemas))
  for (const [field, rules] of Object.entries(properties ?? {})) note(schema, field, rules);
for (const path of Object.values(paths))
  for (const { operationId, parameters } of Object.values(path))
    for (const parameter of parameters ?? [])
      if (parameter.in === "query") note(operationId, parameter.name, parameter.schema);

const lines = [...bounds].flatMap(([name, byPlace]) =>
  new Set(byPlace.values()).size === 1
    ? [`export const ${name} = ${[...byPlace.values()][0]};`]
    : [...byPlace].map(([place, bound]) => `export const ${upper(place)}_${name} = ${bound};`),
);
writeFileSync(join(web, "src/limits.generated.ts"), `${lines.join("\n")}\n`);
