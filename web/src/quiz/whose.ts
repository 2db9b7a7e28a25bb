import { createContext } from "react";

/** Whose answers are looked at: one's own, or a student's. */
export const WhoseContext = createContext<"own" | "student">("own");
