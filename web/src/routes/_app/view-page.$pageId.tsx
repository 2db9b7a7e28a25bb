import { createFileRoute } from "@tanstack/react-router";
import { startRequest } from "../../api/firstData";
import { ReadingPage } from "../../reading/ReadingPage";

interface Search {
  /** The discussion to open, or one of its posts. */
  question?: string;
  /** The reader's note to show. */
  note?: string;
}

export const Route = createFileRoute("/_app/view-page/$pageId")({
  validateSearch: (search: Record<string, unknown>): Search => search,
  // Not awaited: the screen shows its skeleton at once. Hovering over a link preloads the page.
  loader: async ({ context: { client }, params }) => {
    // Loaded with the screen, because the other screens do not need the query.
    const { ReadingPageDocument } = await import("../../reading/ReadingPage.generated");
    startRequest(client.query({ query: ReadingPageDocument, variables: { id: params.pageId } }));
  },
  component: function ViewPage() {
    return <ReadingPage pageId={Route.useParams().pageId} />;
  },
});
