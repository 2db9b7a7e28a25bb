import { createFileRoute } from "@tanstack/react-router";
import { ForAccounts } from "../../guests/ForAccounts";
import { loadTexts } from "../../i18n";
import { ImportScreen } from "../../imports/ImportScreen";

export const Route = createFileRoute("/_app/import")({
  validateSearch: ({ job, update }: Record<string, unknown>): { job?: string; update?: string } => ({
    ...(job ? { job: String(job) } : {}),
    ...(update ? { update: String(update) } : {}),
  }),
  loader: () => loadTexts("imports", "unpublished"),
  component: function ImportRoute() {
    return (
      <ForAccounts>
        <ImportScreen {...Route.useSearch()} />
      </ForAccounts>
    );
  },
});
