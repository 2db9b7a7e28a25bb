import type { ApolloClient } from "@apollo/client";
import { createRouter } from "@tanstack/react-router";
import { NotFoundText } from "./errors/NotFound";
import { RouteError } from "./errors/RouteError";
import { routeTree } from "./routeTree.gen";

export interface RouterContext {
  client: ApolloClient;
  /** The beginning of the addresses of pages in a preview; undefined elsewhere. */
  pages?: string;
}

export function createAppRouter(client: ApolloClient) {
  return createRouter({
    routeTree,
    context: { client },
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundText,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface HistoryState {
    /** The address of a new account, for the sign-in form. */
    email?: string;
  }
}
