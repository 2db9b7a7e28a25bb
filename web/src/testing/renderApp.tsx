import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { MantineProvider } from "@mantine/core";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { createCache } from "../api/cache";
import { i18n, startI18n } from "../i18n";
import { createAppRouter } from "../router";
import { Toaster } from "../ui/Toaster";

/** The data of an operation by its name; of the others no answer comes. */
export type Answers = Record<string, (variables: Record<string, unknown>) => object>;

/** The app's own routes at an address, with a server that answers what is given here and writes down what it was asked. */
export async function openApp(address: string, answers: Answers = {}) {
  if (!i18n.isInitialized) await startI18n();
  const asked: { name: string | undefined; variables: Record<string, unknown> }[] = [];
  const link = new ApolloLink(({ operationName: name, variables }) => {
    asked.push({ name, variables });
    return new Observable((observer) => {
      const answer = answers[name ?? ""];
      if (!answer) return;
      observer.next({ data: answer(variables) });
      observer.complete();
    });
  });
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const router = createAppRouter(client);
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  return { asked, client, router };
}

/** Shows the app at an address. */
export async function renderApp(address: string, answers?: Answers) {
  const app = await openApp(address, answers);
  render(
    <MantineProvider defaultColorScheme="light">
      <ApolloProvider client={app.client}>
        <RouterProvider router={app.router} />
        <Toaster />
      </ApolloProvider>
    </MantineProvider>,
  );
  return app;
}
