import { createFileRoute, redirect } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { keepInvitation } from "../courseSettings/invitation";

/** The link of a mail. Whoever is not signed in does that first; the invitation waits. */
export const Route = createFileRoute("/accept-invitation")({
  validateSearch: ({ token }: Record<string, unknown>) => ({ token: typeof token === "string" ? token : "" }),
  beforeLoad: ({ search: { token } }) => {
    if (!signedIn()) {
      keepInvitation(token);
      throw redirect({ to: "/login" });
    }
    throw redirect({ to: "/invitation", search: { token } });
  },
});
