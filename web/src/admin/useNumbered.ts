import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { pagesOf } from "../ui/pageNumber";
import type { AdminSearch } from "./tabs";

/** How many pages there are, once `total` is known; a number beyond the end leads to the last. */
export function useNumbered(page: number, total: number | undefined): number {
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
