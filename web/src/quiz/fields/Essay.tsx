import { lazy, Suspense } from "react";
import { withTexts } from "../../i18n";
import { SkeletonBlock } from "../../ui/SkeletonBlock";
import type { FieldProps } from "./props";

// Most quizzes have no essay, and the editor is larger than all the rest of a quiz.
const EssayInput = lazy(() => withTexts(import("./EssayInput"), "editor", "quizBuilder"));

/** An answer in several paragraphs, which a person grades. */
export function Essay(props: FieldProps<"EssayQuestion">) {
  return (
    <Suspense fallback={<SkeletonBlock height="11rem" />}>
      <EssayInput {...props} />
    </Suspense>
  );
}
