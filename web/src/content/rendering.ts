import type { TFunction } from "i18next";
import { createContext, useContext } from "react";
import type { HeadingPlace } from "./headings";
import type { ContentNode } from "./model";

/** Data shared by the blocks of one document, computed once per document. */
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
