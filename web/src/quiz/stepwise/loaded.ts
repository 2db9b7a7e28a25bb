import { lazy } from "react";

/** Loaded for quizzes that are checked question by question alone. */
export const StepForm = lazy(() => import("./StepForm"));
