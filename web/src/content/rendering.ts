import type { TFunction } from "i18next";
import { createContext, useContext } from "react";
import type { HeadingPlace } from "./headings";
import type { ContentNode } from "./model";

/** What every block of one document shares: worked out once for the document, not once for each of its blocks. */
export interface Rendering {
  t: TFunction;
  headings: ReadonlyMap<ContentNode, HeadingPlace>;
}

export const RenderingContext = createContext<Rendering | null>(null);

export function useRendering(): Rendering {
  const rendering = useContext(RenderingContext);
  if (!rendering) throw new Error("Content blocks are rendered inside <Document>");
  return rendering;
}
