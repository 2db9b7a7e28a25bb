import { ApolloClient, ApolloLink } from "@apollo/client";
import { SetContextLink } from "@apollo/client/link/context";
import { ErrorLink } from "@apollo/client/link/error";
import { HttpLink } from "@apollo/client/link/http";
import type { GraphQLCodegenDataMasking } from "@apollo/client/masking";
import { OperationTypeNode } from "graphql";
import { i18n } from "../i18n";
import { ApiError, GRAPHQL_URL } from "./apiError";
import { createCache } from "./cache";
import { firstFetch } from "./firstAnswers";
import { liveLink } from "./live";
import { keepReturnPath } from "./returnPath";
import { endSession, signedIn, token } from "./session";

declare module "@apollo/client" {
  export interface TypeOverrides extends GraphQLCodegenDataMasking.TypeOverrides {}
}

const currentPath = () => window.location.pathname + window.location.search + window.location.hash;

export function createClient() {
  const headers = new SetContextLink(({ headers }) => ({
    headers: { ...headers, authorization: `Bearer ${token()}`, "accept-language": i18n.language },
  }));
  const refusals = new ErrorLink(({ error }) => {
    const { status, endsSession } = ApiError.from(error);
    // After a 403 the path would end the next session too.
    if (status === 401 && signedIn()) keepReturnPath(currentPath());
    if (endsSession) endSession();
  });
  const http = ApolloLink.from([
    refusals,
    headers,
    new HttpLink({ uri: GRAPHQL_URL, credentials: "include", fetch: firstFetch }),
  ]);
  return new ApolloClient({
    // A FORBIDDEN error of a subscription ends only that subscription; an ended session closes the socket.
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      liveLink(),
      http,
    ),
    cache: createCache(),
    dataMasking: true,
  });
}
