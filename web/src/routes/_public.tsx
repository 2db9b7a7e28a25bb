import { createFileRoute, redirect } from "@tanstack/react-router";
import { isGuest, signedIn } from "../api/session";
import { PublicLayout } from "../auth/PublicLayout";
import { loadTexts } from "../i18n";

/** The layout of the public screens. Redirects to the home screen with a token, except guests, who can get an account. */
export const Route = createFileRoute("/_public")({
  beforeLoad: () => {
    if (signedIn() && !isGuest()) throw redirect({ to: "/" });
  },
  loader: () => loadTexts("auth"),
  component: PublicLayout,
});
