import { createContext, type ReactNode } from "react";

/** Draws a blank of a fill-in-the-blank text by its id. Null everywhere else: a page's own text has none. */
export const BlanksContext = createContext<((id: string) => ReactNode) | null>(null);
