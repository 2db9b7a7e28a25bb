import type { Editor } from "@tiptap/core";
import { createContext } from "react";

/** Where the fields of a question tell which of them has the focus, so that the page's toolbar and panels act on it. */
export interface ActiveField {
  /** The field has got the focus. */
  take: (editor: Editor) => void;
  /** The field is gone. */
  release: (editor: Editor) => void;
}

export const ActiveField = createContext<ActiveField>({ take: () => {}, release: () => {} });
