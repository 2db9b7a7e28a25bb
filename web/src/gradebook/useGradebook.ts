import { useApolloClient, useSubscription } from "@apollo/client/react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { onReconnect } from "../api/live";
import type { GradebookSort } from "../api/schema.generated";
import { useBurst } from "../ui/useBurst";
import { GradebookChangedDocument, GradebookDocument } from "./Gradebook.generated";
import { cellsOf, columnsOf, type Row, type Settings } from "./grades";

/** Rows of one request. */
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
  rows: readonly Row[];
  /** Whether the rows are those of the whole class. */
  isAll: boolean;
  /** The look that the rows belong to. */
  look: string;
}

const itemsOf = (settings: Settings) =>
  columnsOf(settings)
    .map(({ pageId }) => pageId)
    .join();

/** The gradebook of a course, read again after each change of it. The response to an outdated request is dropped. */
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
      let first: Settings | undefined;
      for (;;) {
        const { data } = await client.query({
          query: GradebookDocument,
          variables: {
            courseId,
            search: search || null,
            groupId: group ?? null,
            sort,
            descending,
            first: ROWS,
            skip: rows.length,
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
          continue;
        }
        first = settings;
        // Rows that moved between two requests are shown once.
        const known = new Set(rows.map(({ enrollmentId }) => enrollmentId));
        rows = [...rows, ...found.nodes.filter(({ enrollmentId }) => !known.has(enrollmentId))];
        if (found.nodes.length < ROWS || rows.length >= found.totalCount) {
          setBook({ settings, rows, isAll: search === "" && group === undefined, look });
          setError(undefined);
          return;
        }
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
