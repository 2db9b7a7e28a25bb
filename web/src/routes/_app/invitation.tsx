import { createFileRoute } from "@tanstack/react-router";
import { AcceptInvitation } from "../../courseSettings/AcceptInvitation";

export const Route = createFileRoute("/_app/invitation")({
  validateSearch: ({ token }: Record<string, unknown>) => ({ token: typeof token === "string" ? token : "" }),
  component: function InvitationRoute() {
    return <AcceptInvitation token={Route.useSearch().token} />;
  },
});
