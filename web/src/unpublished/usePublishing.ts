import { useApolloClient, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { answered, type Choice, type QuizEffect, USUAL } from "./choice";
import { ConsequencesDocument, type ConsequencesShownFragment } from "./Publishing.generated";
import { type Published, publishChanges, type ShownChanges } from "./publishChanges";

/** The consequences that the author has in view. */
interface Known {
  /** The pages and the choice that they belong to. */
  key: string;
  consequences: ConsequencesShownFragment;
}

interface Attempts {
  regradedAttempts: number;
  leftAttempts: number;
}

/** What the author chooses before publishing, and what it changes in the results of learners. */
export interface Publishing {
  choice: Choice;
  choose: (changed: Partial<Choice>) => void;
  effect: QuizEffect;
  /** Whether learners have attempts at the changed quizzes. */
  hasAttempts: boolean;
  /** Null while unknown, and if no quiz has changed. */
  consequences: ConsequencesShownFragment | null;
  /** Whether the consequences are those of an earlier choice. */
  isStale: boolean;
  /** Whether the server found other consequences than those that were shown. */
  isNewer: boolean;
  error: unknown;
  read: () => void;
  /** Whether all that has to be shown before publishing is shown, or has failed. */
  isShown: boolean;
  mayPublish: boolean;
  publish: () => Promise<Published>;
}

/** Holds the choice for changes that are about to be published. Null until the changes are known, or while they are incomplete. */
export function usePublishing(
  courseId: string,
  pages: readonly ShownChanges[] | null,
  effect: QuizEffect,
): Publishing {
  const client = useApolloClient();
  const [wanted, setWanted] = useState(USUAL);
  const [attempts, setAttempts] = useState<Attempts | null>(null);
  const [newer, setNewer] = useState<Known | null>(null);
  const hasAttempts = attempts !== null && attempts.regradedAttempts + attempts.leftAttempts > 0;
  const choice = answered(wanted, effect, hasAttempts);
  const { pastAttempts, removedQuestions } = choice;
  const isAsked = pages !== null && effect.isChanged;
  const variables = {
    courseId,
    pages: [...(pages ?? [])],
    pastAttempts,
    removedQuestions,
    keeps: pastAttempts === "KEEP",
  };
  const key = JSON.stringify(variables);
  const { data, previousData, error, loading, refetch } = useQuery(ConsequencesDocument, {
    variables,
    skip: !isAsked,
    fetchPolicy: "no-cache",
  });
  const known = data ?? previousData;
  const counted = known?.regraded ?? data?.consequences;
  if (
    counted &&
    (counted.regradedAttempts !== attempts?.regradedAttempts ||
      counted.leftAttempts !== attempts.leftAttempts)
  )
    setAttempts({ regradedAttempts: counted.regradedAttempts, leftAttempts: counted.leftAttempts });
  const isNewer = newer?.key === key;
  const consequences = !isAsked ? null : isNewer ? newer.consequences : (known?.consequences ?? null);
  const isStale = !isNewer && (loading || data === undefined);
  const isKnown = !isAsked || (consequences !== null && !isStale);
  return {
    choice: { ...choice, importance: wanted.importance },
    choose: (changed) => setWanted({ ...wanted, ...changed }),
    effect,
    hasAttempts,
    consequences,
    isStale,
    isNewer,
    error: isNewer ? undefined : error,
    read: () => void refetch().catch(() => undefined),
    isShown: !isAsked || consequences !== null || error !== undefined,
    // Without known consequences, nothing but what keeps the results can be published.
    mayPublish: isKnown || (error !== undefined && pastAttempts === "KEEP"),
    publish: async () => {
      const digest = isKnown ? (consequences?.digest ?? null) : null;
      const published = await publishChanges(client, courseId, pages ?? [], { ...choice, digest });
      if (published.consequences) setNewer({ key, consequences: published.consequences });
      return published;
    },
  };
}
