import { createFileRoute, redirect } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { keepInvitation } from "../course-settings/invitation";

/** The address of the link in an invitation mail. Without a session the invitation is stored until after signing in. */
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
