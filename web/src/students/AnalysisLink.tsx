import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/useTranslation";

interface Props {
  courseId: string;
  /** The page with the quiz. */
  pageId: string;
  group: string | undefined;
  className: string | undefined;
  children?: ReactNode;
}

/** Opens the analysis of a quiz for the same group. */
export function AnalysisLink({ courseId, pageId, group, className, children }: Props) {
  const { t } = useTranslation();
  return (
    <Link
      to="/edit-course/$courseId"
      params={{ courseId }}
      search={{ tab: "students", view: "analysis", part: pageId, ...(group && { group }) }}
      resetScroll={false}
      className={className}
    >
      {children ?? t("students.map.analysis")}
    </Link>
  );
}
