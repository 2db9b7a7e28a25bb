import { createFileRoute } from "@tanstack/react-router";
import { loadTexts } from "../../i18n";
import { SearchScreen } from "../../search/SearchScreen";
import type { SearchParams } from "../../search/searchParams";

export const Route = createFileRoute("/_app/search")({
  // The screen reads it tolerantly; it is loaded later.
  validateSearch: (given: Record<string, unknown>): SearchParams => given,
  loader: () => loadTexts("search"),
  component: function SearchRoute() {
    return <SearchScreen {...Route.useSearch()} />;
  },
});
