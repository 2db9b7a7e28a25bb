// Generates types and typed documents of operations.graphql from the served schema, with the plugins and configuration of docs/graphql-client.md.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as typedDocumentNode from "@graphql-codegen/typed-document-node";
import * as operations from "@graphql-codegen/typescript-operations";
import { buildClientSchema, getIntrospectionQuery, parse, printSchema } from "graphql";

/** @param {string} url of the server @param {string} folder for the output */
export async function generateDocuments(url, folder) {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const { data } = await answer.json();
  const schemaAst = buildClientSchema(data);
  const location = join(import.meta.dirname, "operations.graphql");
  const text = await codegen({
    filename: join(folder, "operations.ts"),
    schema: parse(printSchema(schemaAst)),
    schemaAst,
    documents: [{ location, document: parse(await readFile(location, "utf8")) }],
    plugins: [{ operations: {} }, { typedDocumentNode: {} }],
    pluginMap: { operations, typedDocumentNode },
    config: {
      useTypeImports: true,
      enumType: "string-literal",
      scalars: { ID: "string", DateTime: "string", Document: "unknown", JSON: "unknown" },
      skipTypename: true,
    },
  });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "operations.ts"), text);
}
