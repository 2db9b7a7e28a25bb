import { createFileRoute } from "@tanstack/react-router";
import { loadTexts } from "../../i18n";
import { NoticesScreen } from "../../notices/NoticesScreen";

export const Route = createFileRoute("/_app/notices")({
  // The screen reads it tolerantly; it is loaded later.
  validateSearch: (given: Record<string, unknown>): { view?: string } => given,
  loader: () => loadTexts("notices"),
  component: function NoticesRoute() {
    return <NoticesScreen {...Route.useSearch()} />;
  },
});
