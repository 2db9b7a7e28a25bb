import { createFileRoute } from "@tanstack/react-router";
import { loadTexts } from "../../i18n";
import { ImportScreen } from "../../imports/ImportScreen";

const isId = (value: unknown): value is string => typeof value === "string" && value !== "";

export const Route = createFileRoute("/_app/import")({
  validateSearch: ({ job, update }: Record<string, unknown>): { job?: string; update?: string } => ({
    ...(isId(job) && { job }),
    ...(isId(update) && { update }),
  }),
  loader: () => loadTexts("imports", "unpublished"),
  component: function ImportRoute() {
    return <ImportScreen {...Route.useSearch()} />;
  },
});
