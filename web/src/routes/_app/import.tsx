import { createFileRoute } from "@tanstack/react-router";
import { ImportScreen } from "../../imports/ImportScreen";

export const Route = createFileRoute("/_app/import")({
  validateSearch: ({ job }: Record<string, unknown>): { job?: string } =>
    typeof job === "string" && job !== "" ? { job } : {},
  component: function ImportRoute() {
    return <ImportScreen {...Route.useSearch()} />;
  },
});
