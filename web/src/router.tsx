import type { ApolloClient } from "@apollo/client";
import { createRouter } from "@tanstack/react-router";
import { NotFoundText } from "./errors/NotFound";
import { SomethingWentWrong } from "./errors/SomethingWentWrong";
import { routeTree } from "./routeTree.gen";

export interface RouterContext {
  client: ApolloClient;
}

export function createAppRouter(client: ApolloClient) {
  return createRouter({
    routeTree,
    context: { client },
    defaultPreload: "intent",
    // Data is Apollo's: its cache decides what is fresh, so loaders always run.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: SomethingWentWrong,
    defaultNotFoundComponent: NotFoundText,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
