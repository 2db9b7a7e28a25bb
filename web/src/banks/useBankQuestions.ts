import { useQuery } from "@apollo/client/react";
import { BankQuestionsDocument } from "./Bank.generated";
import { argumentsOf, type BankFilter, pagesOf } from "./filter";

/** The questions of a bank that match a filter. While others are loading, the earlier ones stay. */
export function useBankQuestions(bankId: string, filter: BankFilter) {
  const { data, previousData, error, refetch, loading } = useQuery(BankQuestionsDocument, {
    variables: { id: bankId, ...argumentsOf(filter) },
    fetchPolicy: "cache-and-network",
  });
  const before = previousData?.bank.id === bankId ? previousData : undefined;
  const list = (data ?? before)?.bank.questions;
  return {
    questions: list?.questions,
    total: list?.total ?? 0,
    pages: pagesOf(list?.total ?? 0),
    /** Whether the questions are those of an earlier filter. */
    isStale: data === undefined,
    /** Whether the server has answered for this filter. */
    isFresh: data !== undefined && !loading,
    error: data ? undefined : error,
    refetch: () => void refetch().catch(() => undefined),
  };
}
