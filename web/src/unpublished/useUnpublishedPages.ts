import { useQuery } from "@apollo/client/react";
import { createContext } from "react";
import { UnpublishedPagesDocument } from "./Unpublished.generated";
import { useReadAgain } from "./useReadAgain";

const NONE: ReadonlySet<string> = new Set();

/** The result of `useUnpublishedPages`, for the rows of an outline. */
export const UnpublishedPages = createContext(NONE);

/** Ids of the pages of a course with changes that learners do not see. */
export function useUnpublishedPages(courseId: string, mayEdit: boolean): ReadonlySet<string> {
  const { data, previousData, refetch } = useQuery(UnpublishedPagesDocument, {
    variables: { courseId },
    skip: !mayEdit,
    fetchPolicy: "cache-and-network",
  });
  useReadAgain(async () => mayEdit && (await refetch()));
  // The marks stay when they could not be read again.
  const pages = (data ?? previousData)?.course.unpublishedChanges.filter(({ pageDraft }) => pageDraft);
  return pages?.length ? new Set(pages.map(({ id }) => id)) : NONE;
}
