import type { ApolloCache, Reference } from "@apollo/client";
import { useMutation } from "@apollo/client/react";
import { toastFailure } from "../ui/toasts";
import { MarkRereadDocument } from "./ChangedNote.generated";
import type { Page } from "./ReadingPage";

/** Marks a changed page as read again. The note disappears at once; after a failure it comes back. */
export function useMarkReread({ id: pageId, version }: Pick<Page, "id" | "version">): () => void {
  const [mark] = useMutation(MarkRereadDocument);
  // The cache finds the page by the names of types, which the type of the answer does not have.
  const predicted = {
    __typename: "Mutation",
    markReread: {
      __typename: "MarkRereadPayload",
      page: { __typename: "Page", id: pageId, version, changeSinceRead: null },
    },
  };
  return () => {
    // The button that was used is gone.
    document.querySelector<HTMLElement>("main article h1")?.focus({ preventScroll: true });
    mark({
      variables: { input: { pageId, version } },
      optimisticResponse: predicted,
      update: (cache, { data }) => {
        // A page that has changed once more stays in the list.
        if (data?.markReread.page.changeSinceRead === null) leaveList(cache, pageId);
      },
    }).catch(toastFailure);
  };
}

/** Removes the page from the list of important changes, as far as the home screen has it. */
function leaveList(cache: ApolloCache, pageId: string): void {
  const id = cache.identify({ __typename: "Page", id: pageId });
  cache.modify<{ importantChanges: { page: Reference }[] }>({
    fields: {
      importantChanges: (changes) =>
        (changes as { page: Reference }[]).filter(({ page }) => page.__ref !== id),
    },
  });
}
