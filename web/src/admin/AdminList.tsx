import type { ReactNode } from "react";
import { QueryState } from "../errors/QueryState";
import { Pagination } from "../ui/Pagination";
import { Rows } from "../ui/Rows";
import { ListSkeleton } from "../ui/Skeletons";
import classes from "./Admin.module.css";

interface Props {
  /** The names of the list and of the links to its pages. */
  label: string;
  pagesLabel: string;
  /** The error of the query, if it has failed. */
  error: unknown;
  refetch: () => unknown;
  /** The length of the list with all of its pages; unknown until the query has answered. */
  total: number | undefined;
  /** The text about the length. */
  summary: (total: number) => string;
  /** Takes the place of the summary. */
  empty?: ReactNode;
  /** The rows belong to the page shown before. */
  busy: boolean;
  rows: readonly ReactNode[];
  page: number;
  pages: number;
}

/** A list of the administration by pages, with its length, or what stands in for it while it loads or has failed to load. */
export function AdminList({
  label,
  pagesLabel,
  error,
  refetch,
  total,
  summary,
  empty,
  busy,
  rows,
  page,
  pages,
}: Props) {
  if (total === undefined) {
    return (
      <QueryState
        error={error}
        retry={() => void refetch()}
        heading="h2"
        loading={<ListSkeleton rows={8} height="3.75rem" />}
      />
    );
  }
  return (
    <>
      {empty || (
        <p className={total === 0 ? classes.none : classes.count} role="status">
          {summary(total)}
        </p>
      )}
      {rows.length > 0 && (
        <Rows label={label} busy={busy}>
          {rows}
        </Rows>
      )}
      <Pagination label={pagesLabel} shown={Math.min(page, pages)} pages={pages} />
    </>
  );
}
