import { createFileRoute } from "@tanstack/react-router";
import { Home } from "../../home/Home";
import { HomeDocument } from "../../home/Home.generated";
import { codeOfSearch } from "../../home/shareCode";
import { pageNumber } from "../../ui/pageNumber";

interface Search {
  /** A course code to enroll with, from a link a teacher sent. */
  code?: string;
  /** Of the list of courses one teaches. */
  page?: number;
}

export const Route = createFileRoute("/_app/")({
  validateSearch: (search: Record<string, unknown>): Search => ({
    ...codeOfSearch(search),
    ...(search.page === undefined ? {} : { page: pageNumber(search.page) }),
  }),
  // Asked anew at each visit and not awaited: the screen shows what is known, or its outline, at once.
  loader: ({ context: { client } }) => {
    client.query({ query: HomeDocument, fetchPolicy: "network-only" }).catch(() => {
      // The screen asks for the same and shows what went wrong.
    });
  },
  component: function HomeRoute() {
    const { code, page = 1 } = Route.useSearch();
    return <Home code={code} page={page} />;
  },
});
