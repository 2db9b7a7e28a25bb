// Builds the first screens' queries exactly as the app's client sends them, so that index.html can send them before the app loads.
// src/api/firstAnswers.test.ts compares the two.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { addTypenameToDocument } from "@apollo/client/utilities";
import { Kind, parse, print, stripIgnoredCharacters, visit } from "graphql";

const sources = path.resolve(import.meta.dirname, "../src");

/** Returns the text of each operation with its fragments. @param {string[]} operations @returns {Promise<Record<string, string>>} */
export async function queriesOf(operations) {
  const names = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith(".graphql"));
  const texts = await Promise.all(names.map((name) => readFile(path.join(sources, name), "utf8")));
  const definitions = texts.flatMap((text) => parse(text, { noLocation: true }).definitions);
  const named = (kind, name) => {
    const found = definitions.find((one) => one.kind === kind && one.name?.value === name);
    if (!found) throw new Error(`there is no ${kind} ${name}`);
    return found;
  };
  const queries = operations.map((operation) => {
    const taken = new Set([named(Kind.OPERATION_DEFINITION, operation)]);
    for (const definition of taken) {
      visit(definition, {
        FragmentSpread: ({ name }) => void taken.add(named(Kind.FRAGMENT_DEFINITION, name.value)),
      });
    }
    // A directive for the client only.
    const document = visit(
      { kind: Kind.DOCUMENT, definitions: [...taken] },
      { Directive: ({ name }) => (name.value === "unmask" ? null : undefined) },
    );
    return [operation, stripIgnoredCharacters(print(addTypenameToDocument(document)))];
  });
  return Object.fromEntries(queries);
}
