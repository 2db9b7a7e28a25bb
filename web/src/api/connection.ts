import type { FieldPolicy, Reference } from "@apollo/client";

interface Part {
  nodes?: readonly Reference[];
  edges?: readonly { node?: Reference }[];
}

/**
 * A list that is fetched in parts: one list for each set of values of the `chosenBy` arguments, whatever its window. A part
 * asked for with `after` goes to the end of what is there, any other takes its place, so that fetching a list anew never
 * leaves old rows behind.
 */
export function connection(...chosenBy: string[]): FieldPolicy<Part> {
  return {
    keyArgs: chosenBy,
    merge: (existing, incoming, { args }) => {
      if (!existing || !args?.after) return incoming;
      return {
        ...incoming,
        ...(incoming.nodes && { nodes: appended(existing.nodes, incoming.nodes, (node) => node) }),
        ...(incoming.edges && { edges: appended(existing.edges, incoming.edges, (edge) => edge.node) }),
      };
    },
  };
}

/** A row that moved between two fetches comes twice; the later place counts. */
function appended<T>(
  before: readonly T[] = [],
  after: readonly T[],
  reference: (row: T) => Reference | undefined,
): readonly T[] {
  const key = (row: T) => reference(row)?.__ref;
  const known = new Set(after.map(key));
  return [...before.filter((row) => key(row) === undefined || !known.has(key(row))), ...after];
}
