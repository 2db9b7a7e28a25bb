import { lazy } from "react";

/** Loaded only for quizzes that are checked question by question. */
export const StepForm = lazy(() => import("./StepForm"));
