import { createFileRoute, redirect } from "@tanstack/react-router";

/** The address of the link in an invitation mail. */
export const Route = createFileRoute("/accept-invitation")({
  validateSearch: ({ token }: Record<string, unknown>) => ({ token: typeof token === "string" ? token : "" }),
  beforeLoad: ({ search: { token } }) => {
    throw redirect({ to: "/invitation", search: { token } });
  },
});
