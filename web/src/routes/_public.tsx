import { createFileRoute, redirect } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { PublicLayout } from "../auth/PublicLayout";

/** Sign-in and its neighbours: whoever holds a token goes home. */
export const Route = createFileRoute("/_public")({
  beforeLoad: () => {
    if (signedIn()) throw redirect({ to: "/" });
  },
  component: PublicLayout,
});
