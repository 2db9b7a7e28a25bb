import { useApolloClient } from "@apollo/client/react";
import { useEffect } from "react";
import { loadTypesetter } from "../content/math/useTypeset";
import { holds, isNode } from "../content/model";
import { whenIdle } from "../ui/whenIdle";
import { ReadingPageDocument } from "./ReadingPage.generated";

/** Loads the next page into the cache. */
export function usePrefetch(pageId: string | undefined) {
  const client = useApolloClient();
  useEffect(() => {
    if (!pageId) return;
    const prefetch = async () => {
      // After a failure the page is loaded when it is opened.
      const answer = await client
        .query({ query: ReadingPageDocument, variables: { id: pageId } })
        .catch(() => null);
      const content = answer?.data?.page.content;
      if (isNode(content) && holds(content, ["blockMath", "inlineMath"])) void loadTypesetter();
    };
    return whenIdle(() => void prefetch());
  }, [client, pageId]);
}
