import { useApolloClient, useSubscription } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { onReconnect } from "../api/live";
import { GradebookChangedDocument } from "../gradebook/Gradebook.generated";
import { useBurst } from "../ui/useBurst";
import { GradingQueueDocument } from "./Grading.generated";
import { answerKey, type Filters, type OpenAnswer, type Queue, type QueuedAnswer } from "./queue";

/** Page size of a request. */
const ANSWERS = 100;
/** Poll interval for claims, in milliseconds: opening an answer publishes no event. */
const OPENED_MS = 20_000;

interface Read {
  queue: Queue;
  /** The filters of the loaded answers. */
  filters: string;
  at: Date;
}

/** Reads the grading queue of a course, and reads it again after each change. Responses to outdated requests are dropped. */
export function useQueue(courseId: string, filters: Filters) {
  const client = useApolloClient();
  const [read, setRead] = useState<Read>();
  const [error, setError] = useState<unknown>();
  const [isGrowing, setGrowing] = useState(false);
  const last = useRef(0);
  const wanted = useRef(ANSWERS);
  /** Optimistic results of the grader's saves. */
  const [saved, setSaved] = useState<ReadonlyMap<string, Partial<QueuedAnswer>>>(new Map());
  const names = useRef(new Map<string, number>());
  const look = JSON.stringify(filters);
  const load = async () => {
    last.current += 1;
    const own = last.current;
    try {
      let answers: readonly QueuedAnswer[] = [];
      for (;;) {
        const { data } = await client.query({
          query: GradingQueueDocument,
          variables: { courseId, ...filters, first: ANSWERS, skip: answers.length },
          fetchPolicy: "no-cache",
          // A request sent before an event must not be reused after it.
          context: { queryDeduplication: false },
        });
        if (own !== last.current || !data) return;
        const { gradingQueue: queue } = data;
        // An answer that moved between two pages of results is shown once.
        const known = new Set(answers.map(answerKey));
        answers = [...answers, ...queue.answers.filter((one) => !known.has(answerKey(one)))];
        if (queue.answers.length < ANSWERS || answers.length >= Math.min(queue.total, wanted.current)) {
          setRead({ queue: { ...queue, answers: [...answers] }, filters: look, at: new Date() });
          setSaved(new Map());
          setError(undefined);
          setGrowing(false);
          return;
        }
      }
    } catch (failure) {
      if (own !== last.current) return;
      setError(failure);
      setGrowing(false);
    }
  };
  const reload = useEffectEvent(() => void load());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of filters triggers the request
  useEffect(() => {
    wanted.current = ANSWERS;
    reload();
    const counter = last;
    return () => {
      counter.current += 1;
    };
  }, [courseId, look]);
  const reloadSoon = useBurst(() => void load(), 1000, 2000);
  useSubscription(GradebookChangedDocument, { variables: { courseId }, onData: reloadSoon });
  useEffect(() => onReconnect(reloadSoon), [reloadSoon]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, OPENED_MS);
    return () => clearInterval(timer);
  }, []);

  const answers = read?.queue.answers.map((one) => ({ ...one, ...saved.get(answerKey(one)) }));
  const changes = [...saved.values()].filter(({ state }) => state !== undefined).length;
  return {
    queue: read && {
      ...read.queue,
      answers: answers ?? [],
      waiting: Math.max(0, read.queue.waiting - (filters.state === "WAITING" ? changes : 0)),
    },
    /** When the queue was read. */
    at: read?.at ?? new Date(),
    error,
    /** Whether the answers belong to the previous filters. */
    isWaiting: read !== undefined && read.filters !== look && error === undefined,
    isGrowing,
    reload: () => void load(),
    more: () => {
      wanted.current = (read?.queue.answers.length ?? 0) + ANSWERS;
      setGrowing(true);
      void load();
    },
    /** Shows an answer in its expected state until its points are stored; null for one that is returned. */
    expect: (answer: OpenAnswer, points: number | null) => {
      const expected =
        points === null
          ? ({ state: "RELEASED", points, isReturned: true } as const)
          : ({ state: "GRADED", points, isReturned: false } as const);
      setSaved((before) => new Map(before).set(answerKey(answer), expected));
    },
    /** Reverts the expected state of an answer that was not stored. */
    forget: (answer: OpenAnswer) => {
      setSaved((before) => {
        const next = new Map(before);
        next.delete(answerKey(answer));
        return next;
      });
    },
    /** Returns the number of an anonymous answer, which does not change while the screen is open. */
    numberOf: (key: string) => {
      const number = names.current.get(key) ?? names.current.size + 1;
      names.current.set(key, number);
      return number;
    },
  };
}

export type GradingQueue = ReturnType<typeof useQueue>;
