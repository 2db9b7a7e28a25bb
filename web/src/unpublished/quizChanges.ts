import { type AuthorQuiz, readQuiz } from "../quiz-builder/model";

/** How the questions of a quiz differ from those of another one. */
export interface QuizChanges {
  edited: number;
  added: number;
  removed: number;
  /** Whether questions that both have are in another order. */
  order: boolean;
  /** Whether something beside the questions differs. */
  settings: boolean;
}

/** Compares two quizzes as they are stored; null when they are equal, as those of two content pages are. */
export function quizChanges(before: unknown, after: unknown): QuizChanges | null {
  if (!before && !after) return null;
  const [was, is] = [readQuiz(before ?? { questions: [] }), readQuiz(after ?? { questions: [] })];
  const old = new Map(was.questions.map((question) => [question.id, JSON.stringify(question)]));
  const kept = is.questions.filter(({ id }) => old.has(id));
  const ids = new Set(kept.map(({ id }) => id));
  const oldOrder = was.questions.filter(({ id }) => ids.has(id));
  const changes = {
    edited: kept.filter((question) => old.get(question.id) !== JSON.stringify(question)).length,
    added: is.questions.length - kept.length,
    removed: was.questions.length - kept.length,
    order: kept.some(({ id }, index) => oldOrder[index]?.id !== id),
    settings: JSON.stringify(settingsOf(was)) !== JSON.stringify(settingsOf(is)),
  };
  return Object.values(changes).some(Boolean) ? changes : null;
}

const settingsOf = ({ questions, ...settings }: AuthorQuiz) => settings;
