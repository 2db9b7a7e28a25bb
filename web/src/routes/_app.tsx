import { createFileRoute, redirect } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { codeOfSearch } from "../home/shareCode";
import { Shell } from "../shell/Shell";

/** The signed-in layout. Redirects to /login without a token, and keeps a share code through signing in. */
export const Route = createFileRoute("/_app")({
  beforeLoad: ({ location }) => {
    if (!signedIn()) throw redirect({ to: "/login", search: codeOfSearch(location.search) });
  },
  component: Shell,
});
