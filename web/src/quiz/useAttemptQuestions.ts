import { useQuery } from "@apollo/client/react";
import type { Attempt, Question, Quiz } from "./model";
import { AttemptQuestionsDocument } from "./QuizState.generated";

interface AttemptQuestions {
  questions: readonly Question[];
  /** Whether the questions of the attempt are still on their way. */
  isLoading: boolean;
  error: Error | undefined;
  retry: () => void;
}

/**
 * The questions of an attempt: those that it drew, or the present ones of the quiz. Only an attempt with a result of another question is asked
 * for what it drew.
 */
export function useAttemptQuestions(
  pageId: string,
  quiz: Quiz | null,
  attempt: Attempt | null,
): AttemptQuestions {
  const present = quiz?.questions ?? [];
  const isKnown = (questionId: string) => present.some(({ id }) => id === questionId);
  const isComplete = attempt?.results.every(({ questionId }) => isKnown(questionId)) ?? true;
  const { data, error, loading, refetch } = useQuery(AttemptQuestionsDocument, {
    variables: { id: pageId },
    skip: isComplete,
  });
  const drawn = data?.page.attempts.find(({ id }) => id === attempt?.id)?.questions;
  return {
    // The rubric of an open question is for those who still answer it.
    questions: drawn ? drawn.map((question) => ({ rubric: null, ...question }) as Question) : present,
    isLoading: !isComplete && loading && !drawn,
    error: isComplete || data ? undefined : error,
    retry: () => void refetch().catch(() => undefined),
  };
}
