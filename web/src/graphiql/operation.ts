import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from "graphql";

interface Asked {
  query: string;
  operationName?: string | null;
}

/**
 * The text that is to be run, read, and which of its operations. For a moment after a change of tabs GraphiQL still names the
 * operation of the tab before: a text with one operation can mean no other.
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
    return { name: operationName }; // the server says what is wrong with the text
  }
}
