import { useQuery } from "@apollo/client/react";
import { createContext, useEffect } from "react";
import { onReconnect } from "../api/live";
import { UnpublishedPagesDocument } from "./Unpublished.generated";

const NONE: ReadonlySet<string> = new Set();

/** The result of `useUnpublishedPages`, for the rows of an outline. */
export const UnpublishedPages = createContext(NONE);

/** Ids of the pages with changes that learners do not see. Read again when the window is entered and when the network is back. */
export function useUnpublishedPages(courseId: string, mayEdit: boolean): ReadonlySet<string> {
  const { data, refetch } = useQuery(UnpublishedPagesDocument, {
    variables: { courseId },
    skip: !mayEdit,
    fetchPolicy: "cache-and-network",
  });
  useEffect(() => {
    if (!mayEdit) return;
    // Without an answer the marks stay as they are.
    const read = () => void refetch().catch(() => {});
    window.addEventListener("focus", read);
    const stop = onReconnect(read);
    return () => {
      window.removeEventListener("focus", read);
      stop();
    };
  }, [mayEdit, refetch]);
  const pages = data?.course.unpublishedChanges.filter(({ pageDraft }) => pageDraft);
  return pages?.length ? new Set(pages.map(({ id }) => id)) : NONE;
}
