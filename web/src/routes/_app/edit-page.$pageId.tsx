import { createFileRoute } from "@tanstack/react-router";
import { EditPage } from "../../editor/EditPage";
import { loadTexts } from "../../i18n";

interface Search {
  /** The thread of comments to open, or one of its comments. */
  thread?: string;
}

export const Route = createFileRoute("/_app/edit-page/$pageId")({
  validateSearch: ({ thread }: Record<string, unknown>): Search =>
    typeof thread === "string" && thread ? { thread } : {},
  // Not preloaded: the editor must open the current version of the page.
  loader: () => loadTexts("editor", "forms", "unpublished"),
  component: function EditPageRoute() {
    const { pageId } = Route.useParams();
    const { thread } = Route.useSearch();
    return <EditPage key={pageId} pageId={pageId} thread={thread} />;
  },
});
