import type { PageKind } from "../api/schema.generated";
import type { Tree } from "./tree";

/** The kinds of the pages of a course by their ids. */
export type PageKinds = ReadonlyMap<string, PageKind>;

export function pageKindsOf({ modules }: Pick<Tree, "modules">): PageKinds {
  const pages = modules.flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages));
  return new Map(pages.map(({ id, kind }) => [id, kind]));
}
