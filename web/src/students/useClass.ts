import { useQuery } from "@apollo/client/react";
import { useCallback, useEffect, useState } from "react";
import type { StudentState } from "../api/schema.generated";
import type { Order } from "./order";
import { CourseStudentsDocument, type CourseStudentsQuery } from "./Students.generated";
import { sortOf } from "./sorting";

/** Students per page. */
export const ROWS = 50;

export type Student = NonNullable<CourseStudentsQuery["course"]["students"]>["nodes"][number];

/**
 * Loads one page of the class list. During a request the previous result stays: `waiting` is true, and `isPrevious` is true
 * when it belongs to another search or order. Always fetches from the server, because every action of a student changes the list.
 */
export function useClass(
  courseId: string,
  search: string,
  order: Order,
  group: string | undefined,
  state: StudentState | undefined,
) {
  // The cursors of the opened pages; the last one is the page shown.
  const [starts, setStarts] = useState<readonly (string | null)[]>([null]);
  const chosen = `${search}\n${order}\n${group}\n${state}`;
  const [chosenBefore, setChosenBefore] = useState(chosen);
  if (chosen !== chosenBefore) {
    setChosenBefore(chosen);
    setStarts([null]);
  }
  const { data, previousData, error, loading, refetch } = useQuery(CourseStudentsDocument, {
    variables: {
      id: courseId,
      search: search.trim() || null,
      groupId: group ?? null,
      state: state ?? null,
      ...sortOf(order),
      first: ROWS,
      after: starts.at(-1) ?? null,
    },
    fetchPolicy: "no-cache",
  });
  const students = (data ?? previousData)?.course.students;
  const reload = useCallback(() => void refetch().catch(() => undefined), [refetch]);
  const isEmptied = data?.course.students?.nodes.length === 0 && starts.length > 1;
  useEffect(() => {
    if (isEmptied) setStarts((before) => before.slice(0, -1));
  }, [isEmptied]);
  const { endCursor, hasNextPage } = students?.pageInfo ?? { endCursor: null, hasNextPage: false };
  return {
    students: students?.nodes,
    total: students?.totalCount,
    error,
    waiting: loading && students !== undefined,
    /** The rows shown belong to another search or order. */
    isPrevious: data === undefined && students !== undefined,
    reload,
    page: starts.length,
    pages: students && Math.max(1, Math.ceil(students.totalCount / ROWS)),
    next: hasNextPage ? () => setStarts((before) => [...before, endCursor]) : undefined,
    previous: starts.length > 1 ? () => setStarts((before) => before.slice(0, -1)) : undefined,
  };
}
