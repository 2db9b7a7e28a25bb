import { createFileRoute, redirect } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { PublicLayout } from "../auth/PublicLayout";
import { loadTexts } from "../i18n";

/** The layout of the public screens. Redirects to the home screen with a token. */
export const Route = createFileRoute("/_public")({
  beforeLoad: () => {
    if (signedIn()) throw redirect({ to: "/" });
  },
  loader: () => loadTexts("auth"),
  component: PublicLayout,
});
