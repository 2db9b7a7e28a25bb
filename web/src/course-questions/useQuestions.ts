import { useApolloClient, useQuery, useSubscription } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { DiscussionFilter } from "../api/schema.generated";
import { useBurst } from "../ui/useBurst";
import { useReadAgain } from "../unpublished/useReadAgain";
import {
  CourseQuestionsChangedDocument,
  CourseQuestionsDocument,
  type CourseQuestionsQuery,
} from "./CourseQuestions.generated";
import type { ListedQuestion } from "./questions";

/** Rows of a request. */
const ROWS = 50;

/**
 * The questions of a course, read again after each change. They are kept in the cache, so that what a mutation changes shows at once.
 * Responses to outdated requests are dropped.
 */
export function useQuestions(courseId: string, filter: DiscussionFilter) {
  const client = useApolloClient();
  const [failed, setFailed] = useState<{ filter: DiscussionFilter; error: unknown }>();
  const [isGrowing, setGrowing] = useState(false);
  const last = useRef(0);
  const wanted = useRef(ROWS);
  const first = { courseId, filter, first: ROWS, after: null };
  const { data } = useQuery(CourseQuestionsDocument, { variables: first, fetchPolicy: "cache-only" });
  const readWindow = async (after: string | null) => {
    const { data } = await client.query({
      query: CourseQuestionsDocument,
      variables: { ...first, after },
      fetchPolicy: "no-cache",
      // A request sent before an event must not be reused after it.
      context: { queryDeduplication: false },
    });
    return data?.course;
  };
  const load = async () => {
    last.current += 1;
    const own = last.current;
    try {
      let after: string | null = null;
      let nodes: ListedQuestion[] = [];
      for (;;) {
        const course: CourseQuestionsQuery["course"] | undefined = await readWindow(after);
        if (own !== last.current || !course) return;
        const { discussions } = course;
        // A question that moved between two windows of the list is shown once.
        const known = new Set(nodes.map(({ id }) => id));
        nodes = [...nodes, ...discussions.nodes.filter(({ id }) => !known.has(id))];
        if (!discussions.pageInfo.hasNextPage || nodes.length >= wanted.current) {
          const read = { course: { ...course, discussions: { ...discussions, nodes } } };
          client.writeQuery({ query: CourseQuestionsDocument, variables: first, data: read });
          setFailed(undefined);
          setGrowing(false);
          return;
        }
        after = discussions.pageInfo.endCursor;
      }
    } catch (error) {
      if (own !== last.current) return;
      setFailed({ filter, error });
      setGrowing(false);
    }
  };
  const reload = useEffectEvent(() => void load());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  useEffect(() => {
    wanted.current = ROWS;
    reload();
    const counter = last;
    return () => {
      counter.current += 1;
    };
  }, [courseId, filter]);
  const reloadSoon = useBurst(() => void load(), 300, 2000);
  useSubscription(CourseQuestionsChangedDocument, { variables: { courseId }, onData: reloadSoon });
  useReadAgain(load);

  const list = data?.course.discussions;
  return {
    rows: list?.nodes,
    total: list?.totalCount ?? 0,
    hasMore: list?.pageInfo.hasNextPage ?? false,
    error: failed?.filter === filter ? failed.error : undefined,
    isGrowing,
    reload: () => void load(),
    more: () => {
      wanted.current = (list?.nodes.length ?? 0) + ROWS;
      setGrowing(true);
      void load();
    },
  };
}
