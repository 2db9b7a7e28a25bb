import { createFileRoute } from "@tanstack/react-router";
import { ResetForm } from "../../auth/ResetForm";

/** The link of a mail. */
export const Route = createFileRoute("/_public/reset-password")({
  validateSearch: ({ token }: Record<string, unknown>) => ({ token: typeof token === "string" ? token : "" }),
  component: function ResetPasswordRoute() {
    const { token } = Route.useSearch();
    return <ResetForm key={token} token={token} />;
  },
});
