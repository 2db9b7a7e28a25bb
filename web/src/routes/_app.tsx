import { createFileRoute, redirect } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { codeOfSearch } from "../home/shareCode";
import { Shell } from "../shell/Shell";

/** The signed-in layout: without a token, to /login. A course code goes along and is there again after signing in. */
export const Route = createFileRoute("/_app")({
  beforeLoad: ({ location }) => {
    if (!signedIn()) throw redirect({ to: "/login", search: codeOfSearch(location.search) });
  },
  component: Shell,
});
