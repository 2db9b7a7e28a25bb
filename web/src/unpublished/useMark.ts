import { useQuery } from "@apollo/client/react";
import type { EditedPage } from "../editor/EditPage";
import { type UnpublishedMarkFragment, UnpublishedMarkOfDocument } from "./Unpublished.generated";

/** Whether learners see the page, and which changes of it they do not see yet, as far as this window knows. */
export function useMark(page: EditedPage): UnpublishedMarkFragment {
  const { data } = useQuery(UnpublishedMarkOfDocument, {
    variables: { id: page.id },
    fetchPolicy: "cache-first",
  });
  return data?.page ?? page;
}
