import { useApolloClient, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { answered, type Choice, type QuizEffect, USUAL } from "./choice";
import { ConsequencesDocument, type ConsequencesShownFragment } from "./Publishing.generated";
import { type Published, publishChanges, type ShownChanges } from "./publishChanges";

/** What the author chooses before publishing, and what it changes in the results of learners. */
export interface Publishing {
  choice: Choice;
  choose: (changed: Partial<Choice>) => void;
  effect: QuizEffect;
  /** Whether learners have attempts at the changed quizzes. */
  hasAttempts: boolean;
  /** What regrading changes; null when results are kept, so that nothing changes. */
  consequences: ConsequencesShownFragment | null;
  /** Whether the consequences are those of an earlier choice. */
  isStale: boolean;
  /** Whether the server found other consequences than those that were shown. */
  isNewer: boolean;
  error: unknown;
  read: () => void;
  /** Whether everything that can be shown before publishing is known, or could not be read. */
  isShown: boolean;
  mayPublish: boolean;
  publish: () => Promise<Published>;
}

/** Holds the choice for changes that are about to be published: null until they are known, and while they are incomplete. */
export function usePublishing(
  courseId: string,
  pages: readonly ShownChanges[] | null,
  effect: QuizEffect,
): Publishing {
  const client = useApolloClient();
  const [wanted, setWanted] = useState(USUAL);
  /** The consequences that the server found instead of those that were shown for `key`. */
  const [newer, setNewer] = useState<{ key: string; found: ConsequencesShownFragment } | null>(null);
  const isAsked = pages !== null && effect.isChanged;
  const variables = {
    courseId,
    pages: [...(pages ?? [])],
    removedQuestions: answered(wanted, effect, true).removedQuestions,
  };
  const key = JSON.stringify(variables);
  // Also for results that are kept: it tells whether there is anything to regrade.
  const { data, previousData, error, loading, refetch } = useQuery(ConsequencesDocument, {
    variables,
    skip: !isAsked,
    fetchPolicy: "no-cache",
  });
  const isNewer = newer?.key === key;
  const found = !isAsked ? null : isNewer ? newer.found : ((data ?? previousData)?.consequences ?? null);
  const hasAttempts = found !== null && found.regradedAttempts + found.leftAttempts > 0;
  const choice = answered(wanted, effect, hasAttempts);
  const regrades = choice.pastAttempts === "REGRADE";
  const isStale = regrades && !isNewer && (loading || data === undefined);
  const isShown = !isAsked || found !== null || error !== undefined;
  return {
    choice,
    choose: (changed) => setWanted({ ...wanted, ...changed }),
    effect,
    hasAttempts,
    consequences: regrades ? found : null,
    isStale,
    isNewer: regrades && isNewer,
    error: isNewer ? undefined : error,
    read: () => void refetch().catch(() => undefined),
    isShown,
    mayPublish: isShown && !isStale,
    publish: async () => {
      const digest = regrades && found ? found.digest : null;
      const published = await publishChanges(client, courseId, pages ?? [], { ...choice, digest });
      if (published.consequences) setNewer({ key, found: published.consequences });
      return published;
    },
  };
}
