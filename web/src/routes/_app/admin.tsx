import { createFileRoute } from "@tanstack/react-router";
import { Admin } from "../../admin/Admin";
import { auditFilter } from "../../admin/auditFilter";
import { type AdminSearch, TABS } from "../../admin/tabs";
import { pageNumber } from "../../ui/pageNumber";

export const Route = createFileRoute("/_app/admin")({
  validateSearch: ({ tab, page, search, ...rest }: Record<string, unknown>): AdminSearch => ({
    ...(tab !== TABS[0] && TABS.includes(tab as never)
      ? { tab: tab as NonNullable<AdminSearch["tab"]> }
      : {}),
    ...(page === undefined ? {} : { page: pageNumber(page) }),
    ...auditFilter(rest),
    // Digits alone may have been read as a number.
    ...(search === undefined || search === "" ? {} : { search: String(search) }),
  }),
  component: function AdminRoute() {
    const { tab = TABS[0], page = 1, search = "", ...rest } = Route.useSearch();
    return <Admin tab={tab} page={page} search={search} filter={rest} />;
  },
});
