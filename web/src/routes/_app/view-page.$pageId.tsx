import { createFileRoute } from "@tanstack/react-router";
import { loadsMeanwhile } from "../../api/firstData";
import { ReadingPage } from "../../reading/ReadingPage";
import { ReadingPageDocument } from "../../reading/ReadingPage.generated";

export const Route = createFileRoute("/_app/view-page/$pageId")({
  // Not awaited: the screen shows its outline at once. A pointer over a link brings the page before the click.
  loader: ({ context: { client }, params }) => {
    loadsMeanwhile(client.query({ query: ReadingPageDocument, variables: { id: params.pageId } }));
  },
  component: function ViewPage() {
    return <ReadingPage pageId={Route.useParams().pageId} />;
  },
});
