import { createFileRoute } from "@tanstack/react-router";
import { loadTexts } from "../../i18n";
import { NoticesScreen } from "../../notices/NoticesScreen";

export const Route = createFileRoute("/_app/notices")({
  validateSearch: ({ view }: Record<string, unknown>): { view?: "unread" } =>
    view === "unread" ? { view } : {},
  loader: () => loadTexts("notices"),
  component: function NoticesRoute() {
    return <NoticesScreen unreadOnly={Route.useSearch().view === "unread"} />;
  },
});
