import type { TypedDocumentNode } from "@apollo/client";
import { type ArgumentNode, type DocumentNode, Kind } from "graphql";

const drafts: ArgumentNode = {
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: "drafts" },
  value: { kind: Kind.BOOLEAN, value: true },
};

const made = new WeakMap<DocumentNode, DocumentNode>();

/** The query of a page, but of its unpublished changes, if it has any. Its answer is not for the cache, which holds what learners see. */
export function withDrafts<D, V extends Record<string, unknown>>(
  query: TypedDocumentNode<D, V>,
): TypedDocumentNode<D, V> {
  const known = made.get(query) ?? of(query);
  made.set(query, known);
  return known as TypedDocumentNode<D, V>;
}

const of = (query: DocumentNode): DocumentNode => ({
  ...query,
  definitions: query.definitions.map((one) =>
    one.kind !== Kind.OPERATION_DEFINITION
      ? one
      : {
          ...one,
          selectionSet: {
            ...one.selectionSet,
            selections: one.selectionSet.selections.map((field) =>
              field.kind === Kind.FIELD && field.name.value === "page"
                ? { ...field, arguments: [...(field.arguments ?? []), drafts] }
                : field,
            ),
          },
        },
  ),
});
