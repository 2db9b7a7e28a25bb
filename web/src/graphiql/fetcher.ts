import { createGraphiQLFetcher, type Fetcher } from "@graphiql/toolkit";
import { createClient } from "graphql-ws";
import { GRAPHQL_URL } from "../api/apiError";
import { offeredToken } from "../developer-bar/identity";
import { operationOf } from "./operation";

const SCHEME = /^bearer\s+/i;

/**
 * Sends queries and mutations over HTTP, and subscriptions over a WebSocket of their own (graphql-transport-ws, with the token in
 * `connection_init`). An Authorization header from the headers editor overrides the session's token for both.
 */
export const fetcher: Fetcher = (params, options) => {
  const written = new Headers(options?.headers).get("authorization");
  const token = offeredToken();
  const authorization = written ?? (token && `Bearer ${token}`);
  const { document: documentAST, name: operationName } = operationOf(params);
  return createGraphiQLFetcher({
    url: GRAPHQL_URL,
    enableIncrementalDelivery: false,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      if (authorization) headers.set("authorization", authorization);
      return fetch(input, { ...init, headers });
    },
    wsClient: createClient({
      url: `${window.location.origin.replace(/^http/, "ws")}${GRAPHQL_URL}`,
      connectionParams: authorization ? { token: authorization.replace(SCHEME, "") } : {},
      retryAttempts: 0,
    }),
  })({ ...params, operationName }, { ...options, ...(documentAST && { documentAST }) });
};
