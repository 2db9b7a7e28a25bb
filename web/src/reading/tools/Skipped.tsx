import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { PageCourseDocument } from "../../course/CourseTree.generated";
import { pageTitle } from "../../course/pageTitle";
import { useTranslation } from "../../i18n/useTranslation";
import { SkippedReasonsDocument } from "./Skipped.generated";
import classes from "./Skipped.module.css";
import { pagesBefore, skippedOf } from "./skipped";

/** Below the links to the neighbouring pages: how many pages before this one were skipped, and the way to the first of them. */
export function Skipped({ pageId, nextPageId }: { pageId: string; nextPageId: string | undefined }) {
  const { t } = useTranslation();
  // The tree beside the page has asked for it already.
  const course = useQuery(PageCourseDocument, { variables: { id: pageId } }).data?.page.course;
  const before = course ? pagesBefore(course, pageId) : [];
  const { data } = useQuery(SkippedReasonsDocument, {
    variables: { id: course?.id ?? "" },
    skip: before.every(({ kind }) => kind === "CONTENT"),
    // The reasons change when an attempt is graded or made, so they are read again.
    fetchPolicy: "cache-and-network",
  });
  const skipped = skippedOf(before, data);
  const [first] = skipped;
  // The link to the next page says it already.
  if (!first || first.id === nextPageId) return null;
  return (
    <p className={classes.skipped}>
      {t("onPage.skipped", { count: skipped.length })}{" "}
      <Link to="/view-page/$pageId" params={{ pageId: first.id }}>
        {t(skipped.length === 1 ? "onPage.toSkipped" : "onPage.toFirstSkipped", {
          title: pageTitle(first, t),
        })}
      </Link>
    </p>
  );
}
