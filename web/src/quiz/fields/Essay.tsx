import { lazy, Suspense } from "react";
import { withTexts } from "../../i18n";
import { SkeletonBlock } from "../../ui/SkeletonBlock";
import type { FieldProps } from "./props";

// The editor is loaded on demand: most quizzes have no essay, and it is larger than the rest of the quiz code.
const EssayInput = lazy(() => withTexts(import("./EssayInput"), "editor", "quizBuilder"));

/** The answer to an essay question, graded by a person. */
export function Essay(props: FieldProps<"EssayQuestion">) {
  return (
    <Suspense fallback={<SkeletonBlock height="11rem" />}>
      <EssayInput {...props} />
    </Suspense>
  );
}
