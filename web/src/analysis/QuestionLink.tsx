import { Link } from "@tanstack/react-router";
import { type CSSProperties, createContext, type ReactNode, use } from "react";

interface Place {
  pageId: string;
  /** Whether the user may edit the question; others read it as learners do. */
  isEditor: boolean;
}

const Where = createContext<Place>({ pageId: "", isEditor: false });

/** Says where the questions of the links below are. */
export const QuestionLink = Where.Provider;

interface Props {
  /** The position of the question in the quiz, from 1. */
  number: number;
  label?: string | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
  children: ReactNode;
}

/** A link to a question: in the editor, where it opens, or on the page. */
export function ToQuestion({ number, label, children, ...rest }: Props) {
  const { pageId, isEditor } = use(Where);
  const named = { ...rest, "aria-label": label, title: label, params: { pageId } };
  return isEditor ? (
    <Link to="/edit-page/$pageId" hash={`question-${number}`} {...named}>
      {children}
    </Link>
  ) : (
    <Link to="/view-page/$pageId" {...named}>
      {children}
    </Link>
  );
}
