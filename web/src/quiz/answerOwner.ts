import { createContext } from "react";

/** The owner of the shown answers: the viewer, or a student. */
export const AnswerOwnerContext = createContext<"own" | "student">("own");
