import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiError } from "../api/apiError";
import { CourseContents } from "../course/CourseContents";
import type { PageCourseQuery } from "../course/CourseTree.generated";
import type { PageMode } from "../course/usePageLinks";
import { LoadFailure } from "../errors/LoadFailure";
import { RegionBoundary } from "../errors/SomethingWentWrong";
import { useTranslation } from "../i18n/useTranslation";
import { IconBooks, IconShield } from "../ui/icons";
import { Brand } from "./Brand";
import { LanguageSwitch } from "./LanguageSwitch";
import { MeDocument } from "./Me.generated";
import { SearchButton } from "./SearchButton";
import classes from "./Sidebar.module.css";
import { ThemeToggle } from "./ThemeToggle";
import { UserMenu } from "./UserMenu";

interface Props {
  /** The open page, if any. */
  pageId: string | undefined;
  /** Whether the page is open for reading or for editing. */
  mode: PageMode;
  pageCourse: { data?: PageCourseQuery | undefined; error?: unknown; refetch: () => unknown };
}

interface SidebarProps extends Props {
  /** Shown beside the brand. The bar of small screens has its own bell. */
  bell: ReactNode;
}

export function Sidebar({ pageId, mode, pageCourse, bell }: SidebarProps) {
  const { t } = useTranslation();
  const isSuperuser = useQuery(MeDocument).data?.me.isSuperuser ?? false;
  return (
    <div className={classes.sidebar}>
      <div className={classes.top}>
        <Brand />
        {bell}
      </div>
      <div className={classes.search}>
        <SearchButton />
      </div>
      <nav className={classes.menu} aria-label={t("shell.menu")}>
        <p className={classes.heading} aria-hidden="true">
          {t("shell.menu")}
        </p>
        <Link to="/" className={classes.entry} activeOptions={{ exact: true, includeSearch: false }}>
          <IconBooks />
          {t("shell.myCourses")}
        </Link>
        {isSuperuser && (
          <Link to="/admin" className={classes.entry} activeOptions={{ includeSearch: false }}>
            <IconShield />
            {t("shell.administration")}
          </Link>
        )}
      </nav>
      <div className={classes.contents}>
        {pageId !== undefined && (
          <RegionBoundary resetKey={pageId}>
            <Contents pageId={pageId} mode={mode} pageCourse={pageCourse} />
          </RegionBoundary>
        )}
      </div>
      <div className={classes.bottom}>
        <UserMenu />
        <div className={classes.controls}>
          <LanguageSwitch />
          <ThemeToggle />
        </div>
      </div>
    </div>
  );
}

function Contents({ pageId, mode, pageCourse: { data, error, refetch } }: Props & { pageId: string }) {
  if (data) return <CourseContents course={data.page.course} currentPageId={pageId} mode={mode} />;
  // A missing page has no contents; its screen shows the error.
  if (error && ApiError.from(error).status === 404) return null;
  if (error) return <LoadFailure error={error} retry={() => void refetch()} heading="p" />;
  return (
    <div className={classes.skeleton} aria-hidden="true">
      {[70, 88, 62, 80, 74, 90, 66].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
