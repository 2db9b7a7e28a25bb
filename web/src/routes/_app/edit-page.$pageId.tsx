import { createFileRoute } from "@tanstack/react-router";
import { EditPage } from "../../editor/EditPage";
import { loadTexts } from "../../i18n";

export const Route = createFileRoute("/_app/edit-page/$pageId")({
  // Not preloaded: the editor must open the current version of the page.
  loader: () => loadTexts("editor", "forms", "unpublished"),
  component: function EditPageRoute() {
    const { pageId } = Route.useParams();
    return <EditPage key={pageId} pageId={pageId} />;
  },
});
