import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from "graphql";

interface Asked {
  query: string;
  operationName?: string | null;
}

/**
 * Parses a text and returns it with the operation to run. After a change of tabs GraphiQL still passes the operation name of
 * the previous tab for a moment, so the name is ignored for a text with a single operation.
 */
export function operationOf({ query, operationName = null }: Asked): {
  document?: DocumentNode;
  name: string | null;
} {
  try {
    const document = parse(query);
    const isOperation = (node: { kind: string }): node is OperationDefinitionNode =>
      node.kind === Kind.OPERATION_DEFINITION;
    const [first, ...others] = document.definitions.filter(isOperation);
    const isOnly = first && others.length === 0;
    return { document, name: isOnly ? (first.name?.value ?? null) : operationName };
  } catch {
    return { name: operationName }; // The server reports the syntax error.
  }
}
