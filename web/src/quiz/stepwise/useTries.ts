import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../../api/apiError";
import { failureText } from "../../ui/toasts";
import { toInput } from "../answers";
import type { Answers, Question, QuizPageState } from "../model";
import { TryQuizDocument } from "../QuizState.generated";
import { useTriesDraft } from "../triesDraft";
import type { Steps } from "../useTaking";
import { beginCheck, type Checks, canCheck, NO_CHECKS } from "./checks";

/** The checks of staff who try a quiz: each answer is graded on its own, and nothing is stored. */
export function useTries(page: QuizPageState, questions: readonly Question[], answers: Answers): Steps {
  const client = useApolloClient();
  const draft = useTriesDraft();
  const { id: pageId, version } = page;
  const [tried, setTried] = useState({ version, checks: NO_CHECKS });
  // Results of an earlier version do not apply to this one.
  const checks = tried.version === version ? tried.checks : NO_CHECKS;
  const check = async (questionId: string) => {
    const question = questions.find(({ id }) => id === questionId);
    if (!question || !canCheck(checks, questionId)) return;
    const begun = beginCheck(checks, questionId);
    const set = (change: Partial<Checks>) =>
      setTried({ version, checks: { ...begun, running: null, ...change } });
    setTried({ version, checks: begun });
    try {
      const { data } = await client.mutate({
        mutation: TryQuizDocument,
        variables: { input: { pageId, version, answers: toInput([question], answers), draft } },
        fetchPolicy: "no-cache",
      });
      const result = data?.tryQuiz.attempt?.results.find((one) => one.questionId === questionId);
      if (result) set({ results: { ...checks.results, [questionId]: result } });
      else set({ failure: { questionId, reason: data?.tryQuiz.error ?? null } });
    } catch (failure) {
      const reason = ApiError.from(failure).isUnreachable ? null : failureText(failure);
      set({ failure: { questionId, reason } });
    }
  };
  return { checks, check: (questionId) => void check(questionId) };
}
