import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { pageTitle } from "../course/pageTitle";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconChevron } from "../ui/icons";
import { IconList } from "../ui/laterIcons";
import { ListSkeleton } from "../ui/Skeletons";
import { type Analysis, decimal, unread } from "./analysis";
import { DifficultyPlot } from "./DifficultyPlot";
import { QuestionLink } from "./QuestionLink";
import { QuestionsTable } from "./QuestionsTable";
import { QuizAnalysisDocument } from "./QuizAnalysis.generated";
import classes from "./QuizAnalysis.module.css";
import { ScoreHistogram } from "./ScoreHistogram";

interface Props {
  course: Course;
  pageId: string;
  /** The id of the group whose attempts count, or `none` for students without one. */
  group: string | undefined;
}

/** The item analysis of a quiz: its figures, the distribution of results, and its questions with what looks wrong. */
export default function QuizAnalysis({ course, pageId, group }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(QuizAnalysisDocument, {
    variables: { pageId, groupId: group ?? null },
    fetchPolicy: "no-cache",
  });
  const analysis = data?.quizAnalysis;
  if (error && !analysis)
    return (
      <LoadFailure
        error={error}
        retry={() => void refetch()}
        notFound={t("analysis.notFound")}
        heading="h2"
      />
    );
  return (
    <section className={classes.analysis} aria-labelledby="analysis">
      <Link
        className={classes.back}
        to="/edit-course/$courseId"
        params={{ courseId: course.id }}
        search={{ tab: "students", view: "map", ...(group && { group }) }}
      >
        <IconChevron size={16} className={classes.chevron} />
        {t("analysis.back")}
      </Link>
      <h2 id="analysis" className={classes.title}>
        {t("analysis.title", { quiz: titleOf(course, pageId, t) })}
      </h2>
      {analysis ? (
        <Loaded course={course} pageId={pageId} group={group} analysis={analysis} />
      ) : (
        <>
          <ListSkeleton rows={2} height="5rem" columns="repeat(auto-fit, minmax(9rem, 1fr))" />
          <div className={classes.rowsToCome}>
            <ListSkeleton rows={8} height="3rem" />
          </div>
        </>
      )}
    </section>
  );
}

function titleOf(course: Course, pageId: string, t: ReturnType<typeof useTranslation>["t"]): string {
  const lessons = course.modules.flatMap(({ lessons }) => lessons);
  for (const { pages } of lessons) {
    const page = pages.find(({ id }) => id === pageId);
    if (page) return pageTitle({ title: page.title, number: pages.indexOf(page) + 1 }, t);
  }
  return "";
}

function Loaded({ course, pageId, group, analysis }: Props & { analysis: Analysis }) {
  const { t } = useTranslation();
  const { tried, attempts, questions } = analysis;
  if (tried === 0 && group) return <p className={classes.dim}>{t("analysis.noneOfGroup")}</p>;
  if (tried === 0 || questions.length === 0) {
    return (
      <EmptyState
        heading="h3"
        icon={<IconList size={28} />}
        title={t(tried === 0 ? "analysis.none" : "analysis.noQuestions")}
        action={
          <ButtonLink to="/view-page/$pageId" params={{ pageId }}>
            {t("analysis.toQuiz")}
          </ButtonLink>
        }
      >
        {tried === 0 && t("analysis.noneText")}
      </EmptyState>
    );
  }
  const isEditor = course.myRole === "OWNER" || course.myRole === "EDITOR";
  return (
    <QuestionLink value={{ pageId, isEditor }}>
      <p className={classes.about}>{t("analysis.about")}</p>
      <Notes analysis={analysis} />
      <Figures analysis={analysis} />
      {attempts > 0 && (
        <div className={classes.pictures}>
          <ScoreHistogram bars={analysis.histogram} />
          <DifficultyPlot questions={questions} />
        </div>
      )}
      <QuestionsTable questions={questions} />
    </QuestionLink>
  );
}

/** What a reader must know of the figures, and which attempts they leave out. */
function Notes({ analysis }: { analysis: Analysis }) {
  const { t } = useTranslation();
  const { flags, attempts, waiting, outdated } = analysis;
  const notes = [
    ...flags.map((flag) => t(`analysis.notes.${flag}`, { count: attempts })),
    waiting > 0 && t("analysis.notes.waiting", { count: waiting }),
    outdated > 0 && t("analysis.notes.outdated", { count: outdated }),
    unread(analysis) > 0 && t("analysis.notes.newest"),
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return (
    <ul className={classes.notes}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function Figures({ analysis }: { analysis: Analysis }) {
  const { t } = useTranslation();
  const { attempts, mean, maxPoints: max, deviation, alpha, standardError } = analysis;
  const figures = [
    ["attempts", t("analysis.count", { count: attempts })],
    ["mean", mean === null ? t("analysis.undefined") : t("analysis.figures.meanOf", { mean, max })],
    ["deviation", decimal(deviation, t)],
    ["alpha", decimal(alpha, t)],
    ["standardError", decimal(standardError, t)],
  ] as const;
  return (
    <dl className={classes.figures} aria-label={t("analysis.figures.label")}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`analysis.figures.${name}`)}</dt>
          <dd className={classes.figure}>{value}</dd>
          <dd className={classes.explanation}>{t(`analysis.figures.${name}Text`)}</dd>
        </div>
      ))}
    </dl>
  );
}
