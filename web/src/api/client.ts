import { ApolloClient, ApolloLink } from "@apollo/client";
import { SetContextLink } from "@apollo/client/link/context";
import { ErrorLink } from "@apollo/client/link/error";
import { HttpLink } from "@apollo/client/link/http";
import type { GraphQLCodegenDataMasking } from "@apollo/client/masking";
import { i18n } from "../i18n";
import { ApiError, GRAPHQL_URL } from "./apiError";
import { createCache } from "./cache";
import { endSession, token } from "./session";

declare module "@apollo/client" {
  export interface TypeOverrides extends GraphQLCodegenDataMasking.TypeOverrides {}
}

export function createClient() {
  const headers = new SetContextLink(({ headers }) => ({
    headers: { ...headers, authorization: `Bearer ${token()}`, "accept-language": i18n.language },
  }));
  const refusals = new ErrorLink(({ error }) => {
    if (ApiError.from(error).endsSession) endSession();
  });
  return new ApolloClient({
    link: ApolloLink.from([refusals, headers, new HttpLink({ uri: GRAPHQL_URL, credentials: "include" })]),
    cache: createCache(),
    dataMasking: true,
  });
}
