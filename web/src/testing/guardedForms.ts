import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const SOURCES = path.resolve(import.meta.dirname, "..");

/** The call that guards the text of a form, with the name of the form. */
const GUARD = /\buse(?:GuardedForm|LeaveGuard)(?:<[\w, ]+>)?\(\{\s*name: "([\w-]+)"/g;

/** The source files of the web app, without tests and generated files. */
export const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|generated)\.tsx?$|^testing\//.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(SOURCES, file), "utf8") }));

/** The names of the forms that a source file guards. */
export const guardedForms = (text: string): string[] =>
  [...text.matchAll(GUARD)].map(([, name = ""]) => name);
