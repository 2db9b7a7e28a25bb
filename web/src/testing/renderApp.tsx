import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { configure, render } from "@testing-library/react";
import { createCache } from "../api/cache";
import { i18n } from "../i18n";
import { createAppRouter } from "../router";
import { Toaster } from "../ui/Toaster";
import { startI18n } from "./startI18n";

// The first test of a file loads the screen, which takes longer than a second on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

/** The data of each operation by name, or a promise of it, which fails the operation when it rejects; other operations get no response. */
export type Answers = Record<string, (variables: Record<string, unknown>) => object | Promise<object>>;

/** Opens the app's routes at an address with a fake server, which returns the given data and records the requests. */
export async function openApp(address: string, answers: Answers = {}) {
  if (!i18n.isInitialized) await startI18n();
  const asked: { name: string | undefined; variables: Record<string, unknown> }[] = [];
  const link = new ApolloLink(({ operationName: name, variables }) => {
    asked.push({ name, variables });
    return new Observable((observer) => {
      const answer = answers[name ?? ""];
      if (!answer) return;
      const send = (data: object) => {
        observer.next({ data });
        observer.complete();
      };
      const data = answer(variables);
      if (data instanceof Promise) data.then(send, (failure) => observer.error(failure));
      else send(data);
    });
  });
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const router = createAppRouter(client);
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  return { asked, client, router };
}

/** Renders the app at an address. */
export async function renderApp(address: string, answers?: Answers) {
  const app = await openApp(address, answers);
  render(
    <ApolloProvider client={app.client}>
      <RouterProvider router={app.router} />
      <Toaster />
    </ApolloProvider>,
  );
  return app;
}
