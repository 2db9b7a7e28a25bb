import { Document } from "../content/Document";
import type { AuthorQuestion } from "../quiz-builder/model";

/** A question with its right answers, for reading. */
export function QuestionView({ question }: { question: AuthorQuestion }) {
  return <Document content={question.prompt} />;
}
