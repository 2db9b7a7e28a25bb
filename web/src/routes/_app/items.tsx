import { createFileRoute } from "@tanstack/react-router";
import { ForAccounts } from "../../guests/ForAccounts";
import { loadTexts } from "../../i18n";
import { Items } from "../../items/Items";
import { pageNumber } from "../../ui/pageNumber";

export const Route = createFileRoute("/_app/items")({
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
    page === undefined ? {} : { page: pageNumber(page) },
  loader: () => loadTexts("forms", "items"),
  component: function ItemsRoute() {
    const { page = 1 } = Route.useSearch();
    return (
      <ForAccounts>
        <Items page={page} />
      </ForAccounts>
    );
  },
});
