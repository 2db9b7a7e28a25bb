import type { CodegenConfig } from "@graphql-codegen/cli";

const scalars = { ID: "string", UUID: "string", DateTime: "string", Decimal: "string", Document: "unknown" };

/** Writes `Name.generated.ts` beside every `src/**\/Name.graphql`: the types and typed documents of its operations and fragments. */
const config: CodegenConfig = {
  schema: "../schema.graphql",
  documents: "src/**/*.graphql",
  generates: {
    "src/api/schema.generated.ts": {
      plugins: ["typescript-operations"],
      config: { scalars, enumType: "string-literal", generateOperationTypes: false },
    },
    "src/": {
      preset: "near-operation-file",
      presetConfig: { baseTypesPath: "api/schema.generated.ts" },
      plugins: ["typescript-operations", "typed-document-node"],
      config: {
        scalars,
        enumType: "string-literal",
        importSchemaTypesFrom: "src/api/schema.generated.ts",
        useTypeImports: true,
        // Apollo's data masking: only the component that owns a fragment sees its fields.
        inlineFragmentTypes: "mask",
        customDirectives: { apolloUnmask: true },
        skipTypename: true,
        optimizeDocumentNode: true,
      },
    },
  },
};
export default config;
