import { useRef, useState } from "react";
import type { AuthorQuestion } from "../quiz-builder/model";

/** What is typed into a question, before it is saved. */
export interface Draft {
  /** The question as it is typed. */
  question: AuthorQuestion;
  isChanged: boolean;
  /** Rises when the fields have to start over with another question. */
  revision: number;
  change: (question: AuthorQuestion) => void;
  edit: (change: (question: AuthorQuestion) => AuthorQuestion) => void;
  /** The question at this moment, which may be newer than the rendered one; null without a change. */
  latest: () => AuthorQuestion | null;
  /** Forgets the change. What was typed since `sent` stays. */
  settle: (sent: AuthorQuestion | null) => void;
  /** Forgets the change, and starts the fields over. */
  startOver: () => void;
}

export function useDraft(base: AuthorQuestion): Draft {
  const [draft, setDraft] = useState<AuthorQuestion | null>(null);
  const [revision, setRevision] = useState(0);
  const latest = useRef<AuthorQuestion | null>(null);
  const put = (next: AuthorQuestion | null) => {
    latest.current = next;
    setDraft(next);
  };
  return {
    question: draft ?? base,
    isChanged: draft !== null,
    revision,
    change: put,
    edit: (change) => put(change(latest.current ?? base)),
    latest: () => latest.current,
    settle: (sent) => {
      if (latest.current === sent) put(null);
    },
    startOver: () => {
      put(null);
      setRevision((before) => before + 1);
    },
  };
}
