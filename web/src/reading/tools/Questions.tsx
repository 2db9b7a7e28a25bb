import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useState } from "react";
import { withTexts } from "../../i18n";
import { optional } from "../../ui/optional";
import { whenIdle } from "../../ui/whenIdle";
import type { Page } from "../ReadingPage";

const PageQuestions = optional(() =>
  withTexts(import("../../discussions/PageQuestions"), "discussions").then(
    ({ PageQuestions }) => PageQuestions,
  ),
);

interface Props {
  page: Page;
  content: RefObject<HTMLElement | null>;
}

/** The questions of a page. They wait for the text and what belongs to it, unless the address names one of them. */
export function Questions({ page, content }: Props) {
  const wanted = useLocation({ select: ({ search }) => search.question });
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const { myRole } = page.course;
  // Reviewers and superusers take no part in them.
  if (myRole === "REVIEWER" || myRole === "ADMIN" || (myRole === "LEARNER" && !page.course.enrollment))
    return null;
  return (isIdle || wanted !== undefined) && <PageQuestions page={page} content={content} wanted={wanted} />;
}
