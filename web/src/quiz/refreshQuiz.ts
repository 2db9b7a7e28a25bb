import type { ApolloClient, TypedDocumentNode } from "@apollo/client";
import { QuizPageDocument } from "./QuizState.generated";

/** Reads a page with its attempts again, after the server has refused something that the screen offered. A failure changes nothing. */
export function refreshQuiz(
  client: ApolloClient,
  pageId: string,
  query: TypedDocumentNode<unknown, { id: string }> = QuizPageDocument,
): void {
  client.query({ query, variables: { id: pageId }, fetchPolicy: "network-only" }).catch(() => undefined);
}
