import { createContext, type ReactNode } from "react";

/** Renders a blank of a fill-in-the-blank text by its id; null outside of quizzes. */
export const BlanksContext = createContext<((id: string) => ReactNode) | null>(null);
