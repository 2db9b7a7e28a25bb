import { useApolloClient, useSubscription } from "@apollo/client/react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { onReconnect } from "../api/live";
import type { GradebookSort } from "../api/schema.generated";
import { useBurst } from "../ui/useBurst";
import { GradebookChangedDocument, GradebookDocument } from "./Gradebook.generated";
import { cellsOf, columnsOf, type Row, type Settings } from "./grades";

/** Rows of the first request, which are shown while the others are read. */
const FIRST_ROWS = 50;
/** Rows of each further request. */
const ROWS = 500;

/** What the rows are filtered and sorted by. */
export interface Look {
  search: string;
  group: string | undefined;
  sort: GradebookSort;
  descending: boolean;
  /** While it is true, changes of others wait. */
  isPaused: RefObject<boolean>;
}

interface Book {
  settings: Settings;
  /** All rows; the first ones while the others are still being read. */
  rows: readonly Row[];
  /** The number of all rows. */
  total: number;
  /** Whether the rows are those of the whole class. */
  isAll: boolean;
  /** The look that the rows belong to. */
  look: string;
}

const itemsOf = (settings: Settings) =>
  columnsOf(settings)
    .map(({ pageId }) => pageId)
    .join();

/**
 * The gradebook of a course, read again after each change of it. Rows of a new look are shown as soon as the first ones are there; later
 * reads replace all rows at once. The response to an outdated request is dropped.
 */
export function useGradebook(courseId: string, { search, group, sort, descending, isPaused }: Look) {
  const client = useApolloClient();
  const [book, setBook] = useState<Book>();
  const [error, setError] = useState<unknown>();
  const last = useRef(0);
  const look = JSON.stringify([search, group, sort, descending]);
  const read = async () => {
    last.current += 1;
    const own = last.current;
    try {
      let rows: readonly Row[] = [];
      let read = 0;
      let first: Settings | undefined;
      let isShown = book?.look === look;
      for (;;) {
        const { data } = await client.query({
          query: GradebookDocument,
          variables: {
            courseId,
            search: search || null,
            groupId: group ?? null,
            sort,
            descending,
            first: read === 0 ? FIRST_ROWS : ROWS,
            skip: read,
          },
          fetchPolicy: "no-cache",
          // A response from before an event must not serve the request after it.
          context: { queryDeduplication: false },
        });
        if (own !== last.current || !data) return;
        const { settings, rows: found } = data.gradebook;
        // Cells go by the number of their column, so all rows need the same columns.
        if (first && itemsOf(first) !== itemsOf(settings)) {
          first = undefined;
          rows = [];
          read = 0;
          continue;
        }
        first = settings;
        read += found.nodes.length;
        // Rows that moved between two requests are shown once.
        const known = new Set(rows.map(({ enrollmentId }) => enrollmentId));
        rows = [...rows, ...found.nodes.filter(({ enrollmentId }) => !known.has(enrollmentId))];
        const isComplete = found.nodes.length === 0 || read >= found.totalCount;
        const total = isComplete ? rows.length : found.totalCount;
        if (isComplete || !isShown) {
          setBook({ settings, rows, total, isAll: search === "" && group === undefined, look });
          setError(undefined);
          isShown = true;
        }
        if (isComplete) return;
      }
    } catch (failure) {
      if (own === last.current) setError(failure);
    }
  };
  const reload = useEffectEvent(() => void read());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new look is read at once
  useEffect(() => {
    reload();
    const counter = last;
    return () => {
      counter.current += 1;
    };
  }, [courseId, search, group, sort, descending]);
  // Events arrive in bursts while a class takes a quiz, and in a large class they never pause.
  const reloadSoon = useBurst(
    () => {
      if (isPaused.current) reloadSoon();
      else void read();
    },
    1000,
    2000,
  );
  useSubscription(GradebookChangedDocument, { variables: { courseId }, onData: reloadSoon });
  useEffect(() => onReconnect(reloadSoon), [reloadSoon]);
  /** Shows a row as the server has returned it after a decision. */
  const put = (row: Row) => {
    // A read that began before the decision must not show the grade of that time.
    last.current += 1;
    reloadSoon();
    setBook(
      (before) =>
        before && {
          ...before,
          rows: before.rows.map((one) =>
            // A row whose columns differ from the table's is left to the reload.
            one.enrollmentId === row.enrollmentId && cellsOf(one).length === cellsOf(row).length ? row : one,
          ),
        },
    );
  };
  /** The rows still belong to another look. */
  const isWaiting = book !== undefined && book.look !== look && error === undefined;
  return { book, error, isWaiting, reload: () => void read(), put };
}
