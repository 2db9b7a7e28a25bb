import { ApolloClient } from "@apollo/client";
import { createCache } from "../api/cache";
import type { Choice } from "./address";
import { previewLink, readOnly } from "./link";
import { PreviewedPageDocument } from "./Preview.generated";

/**
 * Creates the client of learners' screens in a preview. It has a cache of its own, because the same course and pages are different for
 * another person and moment. It changes nothing, not even optimistically.
 */
export function createPreviewClient(app: ApolloClient, choice: Choice): ApolloClient {
  const isOfCourse = async (id: string) => {
    const { data } = await app.query({ query: PreviewedPageDocument, variables: { id } });
    return data?.page.course.id === choice.courseId;
  };
  const client = new ApolloClient({
    link: previewLink(choice, isOfCourse).concat(app.link),
    cache: createCache(),
    dataMasking: true,
  });
  client.mutate = () => Promise.reject(readOnly());
  return client;
}
