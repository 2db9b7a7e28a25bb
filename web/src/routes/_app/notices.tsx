import { createFileRoute } from "@tanstack/react-router";
import { loadTexts } from "../../i18n";
import { NoticesScreen } from "../../notices/NoticesScreen";

export const Route = createFileRoute("/_app/notices")({
  // The screen, which is loaded later, validates it.
  validateSearch: (given: Record<string, unknown>): { view?: string } => given,
  loader: () => loadTexts("notices"),
  component: function NoticesRoute() {
    return <NoticesScreen {...Route.useSearch()} />;
  },
});
