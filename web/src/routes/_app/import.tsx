import { createFileRoute } from "@tanstack/react-router";
import { ForAccounts } from "../../guests/ForAccounts";
import { loadTexts } from "../../i18n";
import { ImportScreen, type ImportSearch } from "../../imports/ImportScreen";

export const Route = createFileRoute("/_app/import")({
  // The screen reads it tolerantly; it is loaded later.
  validateSearch: (given: Record<string, unknown>): ImportSearch => given,
  loader: () => loadTexts("imports", "unpublished"),
  component: function ImportRoute() {
    return (
      <ForAccounts>
        <ImportScreen {...Route.useSearch()} />
      </ForAccounts>
    );
  },
});
