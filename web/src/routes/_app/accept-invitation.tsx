import { createFileRoute } from "@tanstack/react-router";
import { AcceptInvitation } from "../../course-settings/AcceptInvitation";
import { loadTexts } from "../../i18n";

/** The address of the link in an invitation mail. */
export const Route = createFileRoute("/_app/accept-invitation")({
  validateSearch: ({ token }: Record<string, unknown>) => ({ token: typeof token === "string" ? token : "" }),
  loader: () => loadTexts("courseSettings"),
  component: function InvitationRoute() {
    return <AcceptInvitation token={Route.useSearch().token} />;
  },
});
