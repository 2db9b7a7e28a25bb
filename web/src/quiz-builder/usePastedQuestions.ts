import { useQuery } from "@apollo/client/react";
import { useEffect, useMemo, useState } from "react";
import { type AuthorQuestion, readQuiz } from "./model";
import { isGift, isSurelyGift, readQuestions } from "./pastedQuestions";
import { ReadQuestionsDocument, type ReadQuestionsQuery } from "./ReadQuestions.generated";

/** Milliseconds between the last change of the text and the request. */
const PAUSE_MS = 300;

interface Pasted {
  questions: AuthorQuestion[];
  /** What the server has changed or left out. */
  report: ReadQuestionsQuery["readQuestions"]["report"];
  isReading: boolean;
  error: Error | undefined;
  retry: () => void;
}

/** The questions of a text. Questions with lettered or numbered options are read here, also offline; the server reads GIFT. */
export function usePastedQuestions(text: string): Pasted {
  const local = useMemo(() => readQuestions(text), [text]);
  const isForServer = local.length === 0 ? isGift(text) : isSurelyGift(text);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error, refetch } = useQuery(ReadQuestionsDocument, {
    variables: { text: settled },
    skip: !isForServer || settled !== text,
    fetchPolicy: "no-cache",
  });
  const read = useMemo(() => {
    if (!data) return null;
    const { questions, report } = data.readQuestions;
    return { questions: readQuiz({ questions }).questions, report };
  }, [data]);
  const known = isForServer ? read : { questions: local, report: [] };
  return {
    questions: known?.questions ?? [],
    report: known?.report ?? [],
    isReading: known === null && !error,
    error: isForServer ? error : undefined,
    retry: () => void refetch().catch(() => {}),
  };
}
