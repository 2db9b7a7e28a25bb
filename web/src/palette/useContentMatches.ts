import { useApolloClient, useQuery } from "@apollo/client/react";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { PageCourseDocument } from "../course/CourseTree.generated";
import type { Match } from "../search/match";
import { PaletteContentDocument } from "./PaletteContent.generated";

/** Shorter texts find too much. */
const SHORTEST = 2;
/** The most matches of a group. */
const FEW = 3;

interface ContentMatches {
  /** Pages of the open course. */
  here: readonly Match[];
  /** Pages of other courses; of all courses outside of a course. */
  others: readonly Match[];
  questions: readonly Match[];
  isInCourse: boolean;
  waiting: boolean;
}

const none = { here: [], others: [], questions: [] };

/**
 * Returns the matches in the texts of pages and questions. The matches of a shorter or longer text stay during a request. New matches
 * wait for the search of titles, `isHeld`, whose results are shown above them, so that nothing moves.
 */
export function useContentMatches(typed: string, text: string, isHeld: boolean): ContentMatches {
  const open = useOpenCourse();
  /** The address may name a course that is not there, or not for this user. */
  const [unknown, setUnknown] = useState<string | null>(null);
  const courseId = open === unknown ? null : open;
  const isInCourse = courseId !== null;
  const isSearched = text.length >= SHORTEST;
  const { data, error, loading } = useQuery(PaletteContentDocument, {
    variables: { text, courseId, isInCourse },
    skip: !isSearched,
    fetchPolicy: "cache-and-network",
  });
  if (error && courseId !== null && [404, 422].includes(ApiError.from(error).status)) setUnknown(courseId);
  const [shown, setShown] = useState<{ text: string; data: typeof data }>();
  if (isSearched && data && data !== shown?.data && !isHeld) setShown({ text, data });

  const now = typed.trim();
  const waiting = now.length >= SHORTEST && (loading || now !== text || (isSearched && isHeld));
  const isRelated = shown && (now.startsWith(shown.text) || shown.text.startsWith(now));
  if (!shown?.data || !isRelated || now.length < SHORTEST) return { ...none, isInCourse, waiting };
  const { here, everywhere } = shown.data;
  const pages = everywhere.nodes.filter((match) => match.kind === "PAGE" && match.courseId !== courseId);
  const questions = everywhere.nodes.filter(({ kind }) => kind === "BANK_QUESTION");
  return {
    here: here?.nodes ?? [],
    others: pages.slice(0, isInCourse ? FEW : 2 * FEW),
    questions: questions.slice(0, FEW),
    isInCourse,
    waiting,
  };
}

/** The id of the course that is open: itself, or one of its pages. */
function useOpenCourse(): string | null {
  const client = useApolloClient();
  const { pathname } = useRouter().state.location;
  const [, kind, id = ""] = /^\/(?:view|edit)-(course|page)\/([^/]+)/.exec(pathname) ?? [];
  if (kind === "course") return id;
  if (kind !== "page") return null;
  return client.readQuery({ query: PageCourseDocument, variables: { id } })?.page.course.id ?? null;
}
