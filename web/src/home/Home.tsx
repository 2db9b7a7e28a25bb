import { useQuery } from "@apollo/client/react";
import { useTranslation } from "react-i18next";
import { LoadFailure } from "../errors/LoadFailure";
import { Bone } from "../ui/Bone";
import { EnrollForm } from "./EnrollForm";
import { HomeDocument } from "./Home.generated";
import classes from "./Home.module.css";
import { LearningCard } from "./LearningCard";
import { TeachingList } from "./TeachingList";

interface Props {
  /** A course code from the address, ready to be sent. */
  code: string | undefined;
  /** Of the list of courses one teaches. */
  page: number;
}

/** The screen of /: what I learn and what I teach. */
export function Home({ code, page }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(HomeDocument);
  const learning = data?.myEnrollments.nodes;
  const teaching = data?.myCourses.nodes;
  return (
    <div className={classes.screen}>
      <title>{`${t("home.title")} — Kurso`}</title>
      <header className={classes.header}>
        <h1 className={classes.title}>{t("home.title")}</h1>
        <EnrollForm key={code} code={code} />
      </header>
      {error && !data && <LoadFailure error={error} retry={() => void refetch()} heading="h2" />}
      {!data && !error && <HomeSkeleton />}
      {learning && (
        <section className={classes.section} aria-labelledby="learning">
          <h2 className={classes.heading} id="learning">
            {t("home.learning")}
          </h2>
          {learning.length === 0 ? (
            <div className={classes.empty}>
              <p className={classes.emptyTitle}>{t("home.noLearning")}</p>
              <p className={classes.emptyText}>{t("home.noLearningText")}</p>
            </div>
          ) : (
            <ul className={classes.cards}>
              {learning.map((enrollment) => (
                <LearningCard key={enrollment.id} enrollment={enrollment} />
              ))}
            </ul>
          )}
        </section>
      )}
      {teaching && (
        <section className={classes.section} aria-labelledby="teaching">
          <h2 className={classes.heading} id="teaching">
            {t("home.teaching")}
          </h2>
          {teaching.length === 0 ? (
            <div className={classes.empty}>
              <p className={classes.emptyTitle}>{t("home.noTeaching")}</p>
              <p className={classes.emptyText}>{t("home.noTeachingText")}</p>
            </div>
          ) : (
            <TeachingList courses={teaching} page={page} />
          )}
        </section>
      )}
    </div>
  );
}

function HomeSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")} className={classes.section}>
      <Bone width="7rem" height="1.375rem" below="1.125rem" />
      <div className={classes.cards}>
        <Bone height="10.5rem" />
        <Bone height="10.5rem" />
      </div>
    </div>
  );
}
