import { createFileRoute, redirect } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { PublicLayout } from "../auth/PublicLayout";
import { codeOfSearch } from "../home/shareCode";

/** Sign-in and its neighbours: whoever holds a token goes home. */
export const Route = createFileRoute("/_public")({
  validateSearch: codeOfSearch,
  beforeLoad: ({ search }) => {
    if (signedIn()) throw redirect({ to: "/", search: codeOfSearch(search) });
  },
  component: PublicLayout,
});
