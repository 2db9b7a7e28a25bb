// Writes src/limits.generated.ts: the bounds that forms check, from openapi.json, which has them from the core. `npm run generate` runs it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const web = join(import.meta.dirname, "..");

/** The schema, the field and the bound of each constant. @type {Record<string, [schema: string, field: string, bound: string]>} */
const LIMITS = {
  TITLE_MAX: ["CourseCreate", "title", "maxLength"],
  DESCRIPTION_MAX: ["CourseCreate", "description", "maxLength"],
  ITEM_DESCRIPTION_MAX: ["ItemCreate", "description", "maxLength"],
  NAME_MAX: ["UserUpdateMe", "full_name", "maxLength"],
  PASSWORD_MIN: ["NewPassword", "new_password", "minLength"],
  PASSWORD_MAX: ["NewPassword", "new_password", "maxLength"],
  QUESTIONS_MAX: ["QuizWrite", "questions", "maxItems"],
  ATTEMPTS_MAX: ["QuizWrite", "max_attempts", "maximum"],
  PARTS_MAX: ["SingleChoiceWrite", "options", "maxItems"],
  POINTS_MAX: ["SingleChoiceWrite", "points", "maximum"],
  REGEX_MAX: ["ShortTextWrite", "regex", "maxLength"],
  ANSWER_MAX: ["TextAnswer", "text", "maxLength"],
};

const { schemas } = JSON.parse(readFileSync(join(web, "../openapi.json"), "utf8")).components;
const lines = Object.entries(LIMITS).map(([name, [schema, field, bound]]) => {
  const value = schemas[schema]?.properties?.[field]?.[bound];
  if (typeof value !== "number") throw new Error(`openapi.json has no ${bound} of ${schema}.${field}`);
  return `export const ${name} = ${value};`;
});
writeFileSync(join(web, "src/limits.generated.ts"), `${lines.join("\n")}\n`);
