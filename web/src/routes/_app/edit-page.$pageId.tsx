import { createFileRoute } from "@tanstack/react-router";
import { EditPage } from "../../editor/EditPage";

export const Route = createFileRoute("/_app/edit-page/$pageId")({
  // Nothing is loaded ahead: the text has to be the one of the moment the editor opens.
  component: function EditPageRoute() {
    const { pageId } = Route.useParams();
    return <EditPage key={pageId} pageId={pageId} />;
  },
});
