// Writes `Name.generated.ts` beside every `src/**/Name.graphql`: its operations' types and typed documents.
// The codegen packages are called directly: their command line brings dozens of loaders that nothing here needs.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { codegen } from "@graphql-codegen/core";
import { preset } from "@graphql-codegen/near-operation-file-preset";
import * as typedDocumentNode from "@graphql-codegen/typed-document-node";
import * as operations from "@graphql-codegen/typescript-operations";
import { buildSchema, isEnumType, parse } from "graphql";

const web = path.resolve(import.meta.dirname, "..");
const schemaFile = path.resolve(web, "../schema.graphql");

export async function generate() {
  const schemaText = await readFile(schemaFile, "utf8");
  const names = (await readdir(path.join(web, "src"), { recursive: true }))
    .filter((name) => name.endsWith(".graphql"))
    .sort();
  const documents = await Promise.all(
    names.map(async (name) => {
      const location = path.join(web, "src", name);
      const rawSDL = await readFile(location, "utf8");
      return { location, rawSDL, document: parse(rawSDL) };
    }),
  );
  const schema = buildSchema(schemaText);
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: path.join(web, "src"),
    presetConfig: { cwd: web, baseTypesPath: "" },
    schema: parse(schemaText),
    schemaAst: schema,
    documents,
    plugins: [{ operations: {} }, { typedDocumentNode: {} }],
    pluginMap: { operations, typedDocumentNode },
    config: {
      useTypeImports: true,
      enumType: "string-literal",
      scalars: { ID: "string", UUID: "string", DateTime: "string", Document: "unknown" },
      // Apollo's data masking: a fragment's fields are seen only by the component that owns it.
      inlineFragmentTypes: "mask",
      customDirectives: { apolloUnmask: true },
      skipTypename: true,
      optimizeDocumentNode: true,
    },
  });
  for (const output of outputs) {
    await writeIfChanged(output.filename, completed(await codegen(output), schema));
  }
  return outputs.length;
}

/**
 * An unmasked fragment of another file is spelt out where it is spread: what is imported for it is not used there, and the enums
 * in it are not declared.
 * @param {string} text @param {import("graphql").GraphQLSchema} schema
 */
function completed(text, schema) {
  const isUsed = (name) => text.split(new RegExp(`\\b${name}\\b`)).length > 2;
  const imported = text.replace(/^import type \{ ([^}]*) \} from ('\..*');\n/gm, (_, names, from) => {
    const used = names.split(", ").filter(isUsed);
    return used.length > 0 ? `import type { ${used.join(", ")} } from ${from};\n` : "";
  });
  const missing = Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .filter(({ name }) => imported.includes(`: ${name}`) && !imported.includes(`export type ${name} =`));
  const declared = missing.map((one) => {
    const values = one.getValues().map(({ name }) => `'${name}'`);
    return `type ${one.name} = ${values.join(" | ")};\n`;
  });
  return imported + declared.join("");
}

// An unchanged file keeps its time, so that a running dev server does not reload for nothing.
async function writeIfChanged(file, text) {
  const before = await readFile(file, "utf8").catch(() => null);
  if (before !== text) await writeFile(file, text);
}

if (process.argv[1] === import.meta.filename) {
  console.log(`codegen: ${await generate()} files`);
}
