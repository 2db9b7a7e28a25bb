import type { FieldPolicy, Reference } from "@apollo/client";

interface Part {
  nodes?: readonly Reference[];
  edges?: readonly { node?: Reference }[];
}

/**
 * A field policy for a paginated list: one cached list per set of values of the `chosenBy` arguments, whatever the page size.
 * A page fetched with `after` is appended; any other page replaces the list, so that fetching it again leaves no old rows.
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

/** Removes duplicates: a row that moved between two fetches arrives twice, and the later position counts. */
function appended<T>(
  before: readonly T[] = [],
  after: readonly T[],
  reference: (row: T) => Reference | undefined,
): readonly T[] {
  const key = (row: T) => reference(row)?.__ref;
  const known = new Set(after.map(key));
  return [...before.filter((row) => key(row) === undefined || !known.has(key(row))), ...after];
}
