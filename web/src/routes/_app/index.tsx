import { createFileRoute, redirect } from "@tanstack/react-router";
import { loadsMeanwhile } from "../../api/firstData";
import { takeInvitation } from "../../courseSettings/invitation";
import { Home, type HomeSearch } from "../../home/Home";
import { HomeDocument } from "../../home/Home.generated";
import { sortOf } from "../../home/lists";
import { codeOfSearch } from "../../home/shareCode";
import { pageNumber } from "../../ui/pageNumber";

export const Route = createFileRoute("/_app/")({
  validateSearch: (given: Record<string, unknown>): HomeSearch => {
    const sort = sortOf(given.sort);
    return {
      ...codeOfSearch(given),
      ...(given.page === undefined ? {} : { page: pageNumber(given.page) }),
      ...(given.learning === undefined ? {} : { learning: pageNumber(given.learning) }),
      // Digits alone may have been read as a number.
      ...(given.search === undefined || given.search === "" ? {} : { search: String(given.search) }),
      ...(sort ? { sort } : {}),
    };
  },
  // Somebody came by an invitation and had to sign in first.
  beforeLoad: () => {
    const token = takeInvitation();
    if (token !== null) throw redirect({ to: "/invitation", search: { token } });
  },
  // Asked anew at each visit and not awaited: the screen shows what is known, or its outline, at once.
  loader: ({ context: { client } }) => {
    loadsMeanwhile(client.query({ query: HomeDocument, fetchPolicy: "network-only" }));
  },
  component: function HomeRoute() {
    return <Home {...Route.useSearch()} />;
  },
});
