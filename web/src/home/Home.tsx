import { useQuery } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { isGuest } from "../api/session";
import { useUnsentCourses } from "../editor/useUnsent";
import { QueryState } from "../errors/QueryState";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { IconUpload } from "../ui/authorIcons";
import { Button, ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconPlus, IconQuiz } from "../ui/icons";
import { optional } from "../ui/optional";
import { Pagination } from "../ui/Pagination";
import { Screen } from "../ui/Screen";
import { SearchField } from "../ui/SearchField";
import { Select } from "../ui/Select";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { paginate, searchAndSort } from "./courseLists";
import { EnrollForm } from "./EnrollForm";
import classes from "./Home.module.css";
import { LearningCard } from "./LearningCard";
import { SORTS, type Sort } from "./sorts";
import { TeachingCard } from "./TeachingCard";
import type { Upcoming as UpcomingSection } from "./Upcoming";
import type { UpcomingDocument as UpcomingQueryDocument } from "./Upcoming.generated";
import { useCourses } from "./useCourses";

/** Loaded only when somebody opens the link of a course. */
const CourseInvitation = optional(
  () => withTexts(import("./CourseInvitation"), "join").then(({ CourseInvitation }) => CourseInvitation),
  <div className={classes.invitation} />,
);
const CreateCourse = lazy(() => withTexts(import("./CreateCourse"), "forms"));

/** Search and sorting appear from this number of courses. */
const MANY = 6;

export interface HomeSearch {
  /** The share code of a course link. */
  code?: string;
  /** The page of the list of taught courses. */
  page?: number;
  /** The page of the list of enrolled courses. */
  learning?: number;
  /** Search text for titles. */
  search?: string;
  sort?: Sort;
}

/** The home screen at /: enrolled and taught courses. */
export function Home({
  code,
  page = 1,
  learning: learningPage = 1,
  search = "",
  sort = "recent",
  Upcoming,
  UpcomingDocument,
}: HomeSearch & {
  /** The lists above the courses. */
  Upcoming: typeof UpcomingSection;
  UpcomingDocument: typeof UpcomingQueryDocument;
}) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  /** Whether the code field at the top was used. It stays there then: another field would be empty. */
  const [isEnrolling, setEnrolling] = useState(false);
  const { learning, teaching, error, refetch } = useCourses();
  const unsent = useUnsentCourses();
  const all = (learning?.length ?? 0) + (teaching?.length ?? 0);
  const learned = searchAndSort(
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
  const taught = searchAndSort(
    (teaching ?? []).map((course) => ({ ...course, at: course.updatedAt })),
    search,
    sort,
    i18n.language,
  );
  const learnedPage = paginate(learned, learningPage);
  const taughtPage = paginate(taught, page);
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
  const upcoming = useQuery(UpcomingDocument, { skip: code !== undefined });
  // The due dates stand above the courses, so the courses wait for them: otherwise they would move down under the pointer.
  const isDueKnown =
    code !== undefined || all === 0 || upcoming.data !== undefined || upcoming.error !== undefined;
  const loaded = learning !== undefined && teaching !== undefined && isDueKnown;
  // A new user sees the code field as the first thing to do.
  const isNew = loaded && all === 0 && search === "" && !isEnrolling;
  const nothingFound = loaded && search !== "" && learned.length + taught.length === 0;
  const learningPart = loaded &&
    !nothingFound &&
    (learned.length > 0 || (search === "" && code === undefined)) && (
      <section className={classes.section} aria-labelledby="learning">
        <h2 className={classes.heading} id="learning">
          {t("home.learning")}
        </h2>
        {learned.length === 0 ? (
          <EmptyState title={t("home.noLearning")} action={isNew && <EnrollForm isLead />}>
            {t(isNew ? "home.noLearningNew" : "home.noLearningText")}
          </EmptyState>
        ) : (
          <ul className={classes.cards}>
            {learnedPage.items.map((enrollment) => (
              <LearningCard key={enrollment.id} enrollment={enrollment} />
            ))}
          </ul>
        )}
        <Pagination name="learning" label={t("home.learningPages")} {...learnedPage} />
        <a className={classes.catalogue} href="/courses">
          {t("home.catalogue")}
        </a>
      </section>
    );
  const teachingPart = loaded && !nothingFound && !isGuest() && (search === "" || taught.length > 0) && (
    <section className={classes.section} aria-labelledby="teaching">
      <div className={classes.headingRow}>
        <h2 className={classes.heading} id="teaching">
          {t("home.teaching")}
        </h2>
        {taught.length > 0 && (
          <div className={classes.tools}>
            <ButtonLink to="/banks/{-$bankId}" variant="subtle" icon={<IconQuiz size={18} />}>
              {t("home.banks")}
            </ButtonLink>
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
              <Create onClick={() => setCreating(true)} />
              <Import />
            </div>
          }
        >
          {t("home.noTeachingText")}
        </EmptyState>
      ) : (
        <ul className={classes.cards}>
          {taughtPage.items.map((course) => (
            <TeachingCard
              key={course.id}
              course={course}
              isUnsent={unsent.has(course.id)}
              changed={() => void refetch()}
            />
          ))}
        </ul>
      )}
      <Pagination name="page" label={t("home.pagination")} {...taughtPage} />
      <ButtonLink to="/trash" variant="subtle" className={classes.deleted}>
        {t("home.deleted")}
      </ButtonLink>
    </section>
  );
  return (
    <Screen
      title={t("home.title")}
      action={code === undefined && !isNew && <EnrollForm onUse={() => loaded || setEnrolling(true)} />}
    >
      {code !== undefined && <CourseInvitation key={code} code={code} />}
      {!loaded && (
        <QueryState error={error} retry={() => void refetch()} heading="h2" loading={<HomeSkeleton />} />
      )}
      {loaded && all > 0 && code === undefined && (
        <Upcoming data={upcoming.data} reload={() => void upcoming.refetch().catch(() => undefined)} />
      )}
      {loaded && (all > MANY || search !== "") && (
        <search className={classes.look}>
          <SearchField
            className={classes.search}
            label={t("home.search")}
            value={search}
            onSearch={(words) => look({ search: words || undefined } as HomeSearch)}
          />
          <Select
            aria-label={t("home.sort.label")}
            value={sort}
            onChange={(event) => look({ sort: event.currentTarget.value as Sort })}
            options={SORTS.map((one) => ({ value: one, label: t(`home.sort.${one}`) }))}
          />
        </search>
      )}
      {nothingFound && (
        <p className={classes.none} role="status">
          {t("home.nothingFound", { words: search })}
        </p>
      )}
      {/* For a teacher who learns nothing, the courses they teach come first. */}
      {learned.length === 0 && taught.length > 0 ? (
        <>
          {teachingPart}
          {learningPart}
        </>
      ) : (
        <>
          {learningPart}
          {teachingPart}
        </>
      )}
      {creating && (
        <Suspense fallback={null}>
          <CreateCourse onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Screen>
  );
}

function Create({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button variant="default" icon={<IconPlus size={18} />} onClick={onClick}>
      {t("home.create.title")}
    </Button>
  );
}

function Import() {
  const { t } = useTranslation();
  return (
    <ButtonLink to="/import" variant="default" icon={<IconUpload size={18} />}>
      {t("home.import")}
    </ButtonLink>
  );
}

function HomeSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")} className={classes.section}>
      <SkeletonBlock width="7rem" height="1.375rem" below="1.125rem" />
      <div className={classes.cards}>
        <SkeletonBlock height="11.5rem" />
        <SkeletonBlock height="11.5rem" />
      </div>
    </div>
  );
}
