import { createFileRoute, redirect } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { Shell } from "../shell/Shell";

/** The signed-in layout: without a token, to /login. */
export const Route = createFileRoute("/_app")({
  beforeLoad: () => {
    if (!signedIn()) throw redirect({ to: "/login" });
  },
  component: Shell,
});
