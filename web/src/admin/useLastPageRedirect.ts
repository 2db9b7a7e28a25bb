import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { pagesOf } from "../ui/pageNumber";
import type { AdminSearch } from "./tabs";

/** Returns the number of pages. Navigates to the last page when `page` is beyond it and `total` is known. */
export function useLastPageRedirect(page: number, total: number | undefined): number {
  const navigate = useNavigate();
  const pages = pagesOf(total ?? 0);
  const beyond = total !== undefined && page > pages;
  useEffect(() => {
    if (!beyond) return;
    void navigate({
      to: "/admin",
      search: (before) => ({ ...(before as AdminSearch), page: pages }),
      replace: true,
    });
  }, [beyond, pages, navigate]);
  return pages;
}
