import type { ReactNode } from "react";

/** An action of the command palette. */
export interface PaletteAction {
  /** Unique among the actions. */
  id: string;
  /** The label, worded like a button's. */
  title: string;
  icon?: ReactNode;
  /** Further search terms, in either language. */
  words?: string;
  run: () => void;
}
