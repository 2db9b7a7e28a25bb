import { ApolloClient } from "@apollo/client";
import { createCache } from "../api/cache";
import type { Choice } from "./address";
import { previewLink, readOnly } from "./link";

/**
 * Creates the client of learners' screens in a preview. It has a cache of its own, because the same course and pages are different for
 * another person and moment. It changes nothing, not even optimistically.
 */
export function createPreviewClient(app: ApolloClient, choice: Choice): ApolloClient {
  const client = new ApolloClient({
    link: previewLink(choice).concat(app.link),
    cache: createCache(),
    dataMasking: true,
  });
  client.mutate = () => Promise.reject(readOnly());
  return client;
}
