import { type ReactNode, useContext } from "react";
import type { ContentMark } from "./model";
import { PlacesContext } from "./places";

/** Text with its place in the document; what shows places provides its look. */
export function Place({ mark, children }: { mark: ContentMark; children: ReactNode }) {
  const draw = useContext(PlacesContext);
  // A code block without text has no place.
  return draw && mark.attrs ? draw(mark.attrs, children) : children;
}
