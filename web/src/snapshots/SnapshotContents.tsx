import { Link } from "@tanstack/react-router";
import { KindIcon } from "../course/KindIcon";
import { pageTitle } from "../course/pageTitle";
import { useTranslation } from "../i18n/useTranslation";
import { EmptyState } from "../ui/EmptyState";
import { IconHistory } from "../ui/laterIcons";
import { Tag } from "../ui/Rows";
import classes from "./SnapshotContents.module.css";
import { SnapshotPage } from "./SnapshotPage";
import { type Outline, pagesOf, shownPage } from "./snapshot";

interface Props {
  courseId: string;
  /** The id of the snapshot. */
  id: string;
  outline: Outline;
  /** The page that the address names. */
  wanted: string | undefined;
}

/** The contents of a snapshot beside one of its pages. */
export function SnapshotContents({ courseId, id, outline, wanted }: Props) {
  const { t } = useTranslation();
  const shown = shownPage(pagesOf(outline), wanted);
  if (outline.length === 0)
    return (
      <EmptyState icon={<IconHistory size={28} />} title={t("snapshots.contents.empty")} heading="h3">
        {t("snapshots.contents.emptyText")}
      </EmptyState>
    );
  return (
    <div className={classes.both}>
      <nav className={classes.contents} aria-label={t("snapshots.contents.label")}>
        {outline.map((module) => (
          <section key={module.id} aria-label={module.title}>
            <h3 className={classes.module}>{module.title}</h3>
            {module.lessons.map((lesson) => (
              <section key={lesson.id} aria-label={lesson.title}>
                <h4 className={classes.lesson}>{lesson.title}</h4>
                <ul className={classes.pages}>
                  {lesson.pages.map((page, index) => (
                    <li key={page.id}>
                      <Link
                        to="/edit-course/$courseId"
                        params={{ courseId }}
                        search={{ tab: "snapshots", snapshot: id, page: page.id }}
                        resetScroll={false}
                        activeOptions={{ exact: true }}
                        aria-current={page.id === shown?.id ? "page" : undefined}
                        className={classes.page}
                      >
                        <KindIcon kind={page.kind} size={16} className={classes.icon} />
                        <span className={classes.name}>
                          {pageTitle({ title: page.title, number: index + 1 }, t)}
                        </span>{" "}
                        {!page.published && <Tag quiet>{t("snapshots.page.hidden")}</Tag>}{" "}
                        {page.hasDraft && <Tag quiet>{t("snapshots.page.changed")}</Tag>}
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </section>
        ))}
      </nav>
      {shown ? (
        <SnapshotPage key={shown.id} id={id} page={shown} />
      ) : (
        <p className={classes.none}>{t("snapshots.contents.noPages")}</p>
      )}
    </div>
  );
}
