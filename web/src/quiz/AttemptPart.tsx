import { lazy, Suspense } from "react";
import type { PageKind } from "../api/schema.generated";
import { withTexts } from "../i18n";
import { QuizPart, type QuizPartProps } from "./QuizPart";
import { QuizSkeleton } from "./QuizSkeleton";
import { useSecondClick } from "./useSecondClick";

/** Loaded on the pages of assignments alone. */
const AssignmentPart = lazy(() =>
  withTexts(import("../assignment/AssignmentPart"), "assignment", "quiz", "dates", "forms"),
);

/** What learners submit on a page: the answers of a quiz, or the work of an assignment. */
export default function AttemptPart({ kind, ...props }: QuizPartProps & { kind: PageKind }) {
  useSecondClick();
  if (kind === "QUIZ") return <QuizPart {...props} />;
  return (
    <Suspense fallback={<QuizSkeleton />}>
      <AssignmentPart {...props} />
    </Suspense>
  );
}
