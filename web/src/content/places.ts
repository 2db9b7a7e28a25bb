import { createContext, type ReactNode } from "react";

/** The name of the mark around text whose place in its document is known. It exists on the screen only, never in a stored document. */
export const PLACE = "place";

/** Renders text with its place, from the attributes of the mark; null where places mean nothing. */
export const PlacesContext = createContext<
  ((attrs: Readonly<Record<string, unknown>>, text: ReactNode) => ReactNode) | null
>(null);
