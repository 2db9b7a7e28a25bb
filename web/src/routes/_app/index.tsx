import { createFileRoute } from "@tanstack/react-router";
import { startRequest } from "../../api/firstData";
import { Home, type HomeSearch } from "../../home/Home";
import { codeOfSearch } from "../../home/shareCode";
import { parseSort } from "../../home/sorts";
import { withTexts } from "../../i18n";
import { pageNumber } from "../../ui/pageNumber";

export const Route = createFileRoute("/_app/")({
  validateSearch: (given: Record<string, unknown>): HomeSearch => {
    const sort = parseSort(given.sort);
    return {
      ...codeOfSearch(given),
      ...(given.page === undefined ? {} : { page: pageNumber(given.page) }),
      ...(given.learning === undefined ? {} : { learning: pageNumber(given.learning) }),
      // The router parses a string of digits as a number.
      ...(given.search === undefined || given.search === "" ? {} : { search: String(given.search) }),
      ...(sort ? { sort } : {}),
    };
  },
  // Fetched at each visit and not awaited: the screen shows cached data or its skeleton at once.
  loader: async ({ context: { client } }) => {
    const { HomeDocument, UpcomingDocument, Upcoming } = await withTexts(
      import("../../home/firstLoad"),
      "home",
    );
    startRequest(client.query({ query: HomeDocument, fetchPolicy: "network-only" }));
    startRequest(client.query({ query: UpcomingDocument, fetchPolicy: "network-only" }));
    return { Upcoming, UpcomingDocument };
  },
  component: function HomeRoute() {
    return <Home {...Route.useSearch()} {...Route.useLoaderData()} />;
  },
});
