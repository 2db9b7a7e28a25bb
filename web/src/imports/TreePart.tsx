import { useQuery } from "@apollo/client/react";
import { useId } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { ListSkeleton } from "../ui/Skeletons";
import { type ImportJob_JobFragment, ImportTreeDocument } from "./Imports.generated";
import classes from "./Imports.module.css";
import { useReadAgain } from "./useReadAgain";

/** The outline that the import would create. Modules can be collapsed. */
export function TreePart({ job }: { job: Pick<ImportJob_JobFragment, "id" | "state"> }) {
  const { t } = useTranslation();
  const id = useId();
  const { data, previousData, error, refetch } = useQuery(ImportTreeDocument, {
    variables: { jobId: job.id },
    fetchPolicy: "no-cache",
  });
  useReadAgain(job.state, refetch);
  const preview = (data ?? previousData)?.importPreview;
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h2 className={classes.heading} id={id}>
        {t("imports.tree")}
      </h2>
      {!preview && (
        <QueryState
          error={error}
          retry={() => void refetch()}
          loading={<ListSkeleton rows={4} height="2.75rem" />}
        />
      )}
      {preview?.modules.map((module, m) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the imported content never changes.
        <details key={m} className={classes.module} open={m === 0}>
          <summary>
            <span className={classes.moduleTitle}>{module.title}</span>
            <span className={classes.dim}>
              {t("imports.counts.pages", {
                count: module.lessons.reduce((sum, lesson) => sum + lesson.pages.length, 0),
              })}
            </span>
          </summary>
          <ul className={classes.lessons}>
            {module.lessons.map((lesson, l) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              <li key={l}>
                {lesson.title}
                <ol className={classes.pages}>
                  {lesson.pages.map((page, p) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                    <li key={p}>
                      {page.title ?? t("imports.pageNumber", { number: p + 1 })}
                      {page.questions !== null && (
                        <span className={classes.dim}>
                          {t("imports.counts.questions", { count: page.questions })}
                        </span>
                      )}
                      {!page.published && <span className={classes.dim}>{t("imports.draft")}</span>}
                    </li>
                  ))}
                </ol>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {preview && preview.omitted > 0 && (
        <p className={classes.dim}>{t("imports.omitted", { count: preview.omitted })}</p>
      )}
    </section>
  );
}
