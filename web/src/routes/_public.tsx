import { createFileRoute, redirect } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { PublicLayout } from "../auth/PublicLayout";
import { codeOfSearch } from "../home/shareCode";
import { loadTexts } from "../i18n";

/** The layout of the public screens. Redirects to the home screen with a token. */
export const Route = createFileRoute("/_public")({
  validateSearch: codeOfSearch,
  beforeLoad: ({ search }) => {
    if (signedIn()) throw redirect({ to: "/", search: codeOfSearch(search) });
  },
  loader: () => loadTexts("auth"),
  component: PublicLayout,
});
