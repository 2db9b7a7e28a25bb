import { createFileRoute } from "@tanstack/react-router";
import { ResetForm } from "../../auth/ResetForm";
import { loadTexts } from "../../i18n";

/** The address of the link in a password reset mail. */
export const Route = createFileRoute("/_public/reset-password")({
  validateSearch: ({ token }: Record<string, unknown>) => ({ token: typeof token === "string" ? token : "" }),
  loader: () => loadTexts("recovery"),
  component: function ResetPasswordRoute() {
    const { token } = Route.useSearch();
    return <ResetForm key={token} token={token} />;
  },
});
