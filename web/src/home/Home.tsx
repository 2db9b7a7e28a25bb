import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { LoadFailure } from "../errors/LoadFailure";
import { Bone } from "../ui/Bone";
import { EmptyState } from "../ui/EmptyState";
import { IconPlus, IconSearch, IconUpload } from "../ui/icons";
import { ButtonLink } from "../ui/links";
import { Pages } from "../ui/Pages";
import { Screen } from "../ui/Screen";
import { EnrollForm } from "./EnrollForm";
import classes from "./Home.module.css";
import { LearningCard } from "./LearningCard";
import { arranged, paged, SORTS, type Sort } from "./lists";
import { TeachingCard } from "./TeachingCard";
import { useCourses } from "./useCourses";

const CreateCourse = lazy(() =>
  import("./CreateCourse").then((module) => ({ default: module.CreateCourse })),
);

/** With fewer courses than this nobody needs to search. */
const MANY = 6;

export interface HomeSearch {
  /** A course code from the address, ready to be sent. */
  code?: string;
  /** Of the list of courses one teaches. */
  page?: number;
  /** Of the list of courses one learns. */
  learning?: number;
  /** Words of a title. */
  search?: string;
  sort?: Sort;
}

/** The screen of /: what I learn and what I teach. */
export function Home({
  code,
  page = 1,
  learning: learningPage = 1,
  search = "",
  sort = "recent",
}: HomeSearch) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const { learning, teaching, error, refetch } = useCourses();
  const all = (learning?.length ?? 0) + (teaching?.length ?? 0);
  const learned = arranged(
    (learning ?? []).map((enrollment) => ({
      ...enrollment,
      title: enrollment.course.title,
      at: enrollment.lastActivityAt,
      percent: enrollment.course.progress.percent,
    })),
    search,
    sort,
    i18n.language,
  );
  const taught = arranged(
    (teaching ?? []).map((course) => ({ ...course, at: course.updatedAt })),
    search,
    sort,
    i18n.language,
  );
  const learnedPage = paged(learned, learningPage);
  const taughtPage = paged(taught, page);
  const look = (changed: HomeSearch) =>
    void navigate({
      to: "/",
      search: {
        ...(code && { code }),
        ...(search && { search }),
        ...(sort !== "recent" && { sort }),
        ...changed,
      },
      replace: true,
      resetScroll: false,
    });
  const loaded = learning !== undefined && teaching !== undefined;
  const nothingFound = loaded && search !== "" && learned.length + taught.length === 0;
  return (
    <Screen title={t("home.title")} action={<EnrollForm key={code} code={code} />}>
      {error && !loaded && <LoadFailure error={error} retry={() => void refetch()} heading="h2" />}
      {!loaded && !error && <HomeSkeleton />}
      {loaded && (all > MANY || search !== "") && (
        <search className={classes.look}>
          <TextInput
            type="search"
            className={classes.search}
            aria-label={t("home.search")}
            placeholder={t("home.search")}
            leftSection={<IconSearch size={18} />}
            value={search}
            onChange={(event) => look({ search: event.currentTarget.value || undefined } as HomeSearch)}
          />
          <NativeSelect
            aria-label={t("home.sort.label")}
            value={sort}
            onChange={(event) => look({ sort: event.currentTarget.value as Sort })}
            data={SORTS.map((one) => ({ value: one, label: t(`home.sort.${one}`) }))}
          />
        </search>
      )}
      {nothingFound && (
        <p className={classes.none} role="status">
          {t("home.nothingFound", { words: search })}
        </p>
      )}
      {learning && !nothingFound && (search === "" || learned.length > 0) && (
        <section className={classes.section} aria-labelledby="learning">
          <h2 className={classes.heading} id="learning">
            {t("home.learning")}
          </h2>
          {learned.length === 0 ? (
            <EmptyState title={t("home.noLearning")}>{t("home.noLearningText")}</EmptyState>
          ) : (
            <ul className={classes.cards}>
              {learnedPage.items.map((enrollment) => (
                <LearningCard key={enrollment.id} enrollment={enrollment} />
              ))}
            </ul>
          )}
          <Pages name="learning" label={t("home.learningPages")} {...learnedPage} />
        </section>
      )}
      {teaching && !nothingFound && (search === "" || taught.length > 0) && (
        <section className={classes.section} aria-labelledby="teaching">
          <div className={classes.headingRow}>
            <h2 className={classes.heading} id="teaching">
              {t("home.teaching")}
            </h2>
            {taught.length > 0 && (
              <div className={classes.tools}>
                <Import />
                <Create onClick={() => setCreating(true)} />
              </div>
            )}
          </div>
          {taught.length === 0 ? (
            <EmptyState
              title={t("home.noTeaching")}
              action={
                <div className={classes.tools}>
                  <Create filled onClick={() => setCreating(true)} />
                  <Import />
                </div>
              }
            >
              {t("home.noTeachingText")}
            </EmptyState>
          ) : (
            <ul className={classes.cards}>
              {taughtPage.items.map((course) => (
                <TeachingCard key={course.id} course={course} changed={() => void refetch()} />
              ))}
            </ul>
          )}
          <Pages name="page" label={t("home.pagination")} {...taughtPage} />
        </section>
      )}
      {creating && (
        <Suspense fallback={null}>
          <CreateCourse onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Screen>
  );
}

function Create({ onClick, filled }: { onClick: () => void; filled?: boolean }) {
  const { t } = useTranslation();
  return (
    <Button variant={filled ? "filled" : "default"} leftSection={<IconPlus size={18} />} onClick={onClick}>
      {t("home.create.title")}
    </Button>
  );
}

function Import() {
  const { t } = useTranslation();
  return (
    <ButtonLink to="/import" variant="default" leftSection={<IconUpload size={18} />}>
      {t("home.import")}
    </ButtonLink>
  );
}

function HomeSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")} className={classes.section}>
      <Bone width="7rem" height="1.375rem" below="1.125rem" />
      <div className={classes.cards}>
        <Bone height="11.5rem" />
        <Bone height="11.5rem" />
      </div>
    </div>
  );
}
