import { createFileRoute } from "@tanstack/react-router";
import { startRequest } from "../../api/firstData";
import { ReadingPage } from "../../reading/ReadingPage";
import { ReadingPageDocument } from "../../reading/ReadingPage.generated";

export const Route = createFileRoute("/_app/view-page/$pageId")({
  // Not awaited: the screen shows its skeleton at once. Hovering over a link preloads the page.
  loader: ({ context: { client }, params }) => {
    startRequest(client.query({ query: ReadingPageDocument, variables: { id: params.pageId } }));
  },
  component: function ViewPage() {
    return <ReadingPage pageId={Route.useParams().pageId} />;
  },
});
