import type { ApolloCache, ApolloClient } from "@apollo/client";
import type { CountOf } from "./draws";
import type { DrawQuestion } from "./model";
import { DrawableNowDocument } from "./QuizBanks.generated";

type Pool = Pick<DrawQuestion, "bank_id" | "tags">;

const variablesOf = ({ bank_id, tags }: Pool) => ({ bankId: bank_id, tags: tags.toSorted() });

/** Asks how many questions a draw can choose from. Rejects when its bank cannot be read. */
export async function askDrawable(client: ApolloClient, pool: Pool): Promise<number | null> {
  const { data } = await client.query({
    query: DrawableNowDocument,
    variables: variablesOf(pool),
    fetchPolicy: "network-only",
  });
  return data?.bank.questions.drawable ?? null;
}

/** What the builder has asked for so far. */
export function drawableIn(cache: ApolloCache): CountOf {
  return (draw) =>
    cache.readQuery({ query: DrawableNowDocument, variables: variablesOf(draw) })?.bank.questions.drawable ??
    null;
}
