import { lazy, Suspense } from "react";
import { withTexts } from "../../i18n";
import { SkeletonBlock } from "../../ui/SkeletonBlock";
import type { QuestionOf } from "../model";
import type { FieldProps } from "./props";

// The editor is loaded on demand: most quizzes have no essay, and it is larger than the rest of the quiz code.
const EssayInput = lazy(() => withTexts(import("./EssayInput"), "editor", "quizBuilder"));

export interface EssayProps extends Omit<FieldProps<"EssayQuestion">, "question"> {
  question: Pick<QuestionOf<"EssayQuestion">, "minWords" | "maxWords">;
  /** Whether the text is one part of an answer, whose form tells who grades it. */
  isPart?: boolean;
}

/** A text as an answer, graded by a person. */
export function Essay(props: EssayProps) {
  return (
    <Suspense fallback={<SkeletonBlock height="11rem" />}>
      <EssayInput {...props} />
    </Suspense>
  );
}
