import { createFileRoute, redirect } from "@tanstack/react-router";
import { keepReturnPath } from "../api/returnPath";
import { signedIn } from "../api/session";
import { Shell } from "../shell/Shell";

/** The signed-in layout. Without a token it redirects to /login, which leads back after signing in. */
export const Route = createFileRoute("/_app")({
  beforeLoad: ({ location }) => {
    if (signedIn()) return;
    keepReturnPath(location.href);
    throw redirect({ to: "/login" });
  },
  component: () => <Shell />,
});
