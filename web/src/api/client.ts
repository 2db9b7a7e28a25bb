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
import { endRejectedSession, token } from "./session";

declare module "@apollo/client" {
  export interface TypeOverrides extends GraphQLCodegenDataMasking.TypeOverrides {}
}

export function createClient() {
  const headers = new SetContextLink(({ headers }) => {
    const accessToken = token();
    const authorization = `Bearer ${accessToken}`;
    return { accessToken, headers: { ...headers, authorization, "accept-language": i18n.language } };
  });
  const refusals = new ErrorLink(({ error, operation }) => {
    const { status, endsSession } = ApiError.from(error);
    if (endsSession) endRejectedSession(operation.getContext().accessToken, status);
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
