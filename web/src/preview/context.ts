import { createContext, useContext } from "react";
import type { Address } from "./address";

/** The preview that a screen is part of: learners' screens only read then, and their clock stands still at `at`. */
export const PreviewContext = createContext<Address | null>(null);

/** Returns the preview that the component is part of; null on the screens of learners themselves. */
export const usePreview = () => useContext(PreviewContext);
