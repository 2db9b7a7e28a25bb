import { useApolloClient, useQuery } from "@apollo/client/react";
import { useEffect, useMemo, useState } from "react";
import { askDrawable } from "./drawable";
import { type CountOf, isDraw, poolOf } from "./draws";
import type { AuthorQuestion } from "./model";
import { QuestionSourcesDocument, QuizBanksDocument, type QuizBanksQuery } from "./QuizBanks.generated";
import { asksTheSame, type BankVersion } from "./source";

export type QuizBank = QuizBanksQuery["banks"][number];

/** Where a question was copied from, as far as the author can read it. */
export interface Origin {
  /** The title of the bank; null when it cannot be read, or is not known yet. */
  bank: string | null;
  /** Whether the question differs from what was copied. Unknown, and therefore false, when the source has changed since. */
  isEdited: boolean;
  /** The present version of the source, if it is newer than the copy. */
  newer: BankVersion | null;
}

/** What a quiz takes from banks. */
export interface Banks {
  /** The banks that the author can read; null until they are known. */
  banks: readonly QuizBank[] | null;
  error: Error | undefined;
  retry: () => void;
  countOf: CountOf;
  /** Null for a question that comes from no bank. */
  originOf: (question: AuthorQuestion) => Origin | null;
}

/** Reads what the questions of a quiz take from banks: one request for all sources, and one for each set of questions to draw from. */
export function useBanks(questions: readonly AuthorQuestion[]): Banks {
  const ids = [...new Set(questions.flatMap(({ source }) => source?.question_id ?? []))].toSorted();
  const usesBanks = ids.length > 0 || questions.some(isDraw);
  const list = useQuery(QuizBanksDocument, { skip: !usesBanks, fetchPolicy: "cache-and-network" });
  const banks = list.data?.banks ?? null;
  const sources = useQuery(QuestionSourcesDocument, {
    variables: { ids },
    skip: ids.length === 0,
    fetchPolicy: "cache-and-network",
  });
  const read = (sources.data ?? sources.previousData)?.bankQuestions;
  const known = useMemo(() => new Map(read?.map((one) => [one.id, one])), [read]);
  const countOf = useCounts(questions, banks);
  return {
    banks,
    error: banks ? undefined : list.error,
    retry: () => void list.refetch().catch(() => undefined),
    countOf,
    originOf: (question) => {
      const { source } = question;
      if (!source) return null;
      const now = known.get(source.question_id);
      const bank = banks?.find(({ id }) => id === now?.bankId)?.title ?? null;
      if (!now) return { bank, isEdited: false, newer: null };
      const present = now.question as AuthorQuestion;
      return now.version > source.version
        ? { bank, isEdited: false, newer: { questionId: now.id, version: now.version, question: present } }
        : { bank, isEdited: !asksTheSame(question, present), newer: null };
    },
  };
}

/** How many questions the draws can choose from; read again when the author comes back, such as from the bank. */
function useCounts(questions: readonly AuthorQuestion[], banks: readonly QuizBank[] | null): CountOf {
  const client = useApolloClient();
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map());
  const isReadable = (bankId: string) => banks?.some(({ id }) => id === bankId) ?? false;
  const pools = questions.filter(isDraw).filter(({ bank_id }) => isReadable(bank_id));
  const wanted = JSON.stringify([...new Set(pools.map(poolOf))].toSorted());
  useEffect(() => {
    let isOpen = true;
    const ask = async (pool: string) => {
      const [bank_id, tags] = JSON.parse(pool) as [string, string[]];
      // Without a response, the count stays as it was.
      const count = await askDrawable(client, { bank_id, tags }).catch(() => null);
      if (isOpen && count !== null) setCounts((before) => new Map(before).set(pool, count));
    };
    const askAll = () => {
      if (document.visibilityState === "hidden") return;
      for (const pool of JSON.parse(wanted) as string[]) void ask(pool);
    };
    askAll();
    document.addEventListener("visibilitychange", askAll);
    return () => {
      isOpen = false;
      document.removeEventListener("visibilitychange", askAll);
    };
  }, [client, wanted]);
  return (draw) => counts.get(poolOf(draw)) ?? null;
}
