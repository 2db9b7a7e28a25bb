import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { pageTitle } from "../course/pageTitle";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { ListSkeleton } from "../ui/Skeletons";
import { AnalysisLink } from "./AnalysisLink";
import classes from "./HardestQuestions.module.css";
import { HardestQuestionsDocument, type HardestQuestionsQuery } from "./HeatMap.generated";

type Question = HardestQuestionsQuery["courseHeatMap"]["hardestQuestions"][number];

/** The questions with the lowest results in first attempts, hardest first. */
export function HardestQuestions({ courseId, group }: { courseId: string; group: string | undefined }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(HardestQuestionsDocument, {
    variables: { id: courseId, groupId: group ?? null },
    fetchPolicy: "no-cache",
  });
  const questions = data?.courseHeatMap.hardestQuestions;
  return (
    <section className={classes.hardest} aria-labelledby="hardest">
      <h2 id="hardest" className={classes.heading}>
        {t("students.map.hardest")}
      </h2>
      {questions && questions.length > 0 && <p className={classes.note}>{t("students.map.hardestText")}</p>}
      {questions?.length === 0 && <p className={classes.note}>{t("students.map.hardestNone")}</p>}
      {!questions && (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="p"
          loading={<ListSkeleton rows={4} height="4.25rem" />}
        />
      )}
      {questions && questions.length > 0 && (
        <ol className={classes.list}>
          {questions.map((question) => (
            <li key={`${question.page.id} ${question.questionId}`}>
              <QuestionPart question={question} courseId={courseId} group={group} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface PartProps {
  question: Question;
  courseId: string;
  group: string | undefined;
}

/** A question with its result, a link to its page and one to the analysis of its quiz. */
function QuestionPart({ question, courseId, group }: PartProps) {
  const { t } = useTranslation();
  const { page, number, prompt, answered, averagePercent } = question;
  const title = pageTitle({ title: page.title, number: page.position + 1 }, t);
  return (
    <>
      <Link to="/view-page/$pageId" params={{ pageId: page.id }} className={classes.prompt}>
        {prompt || t("students.map.question", { number })}
      </Link>
      <AnalysisLink courseId={courseId} pageId={page.id} group={group} className={classes.where}>
        {t("students.map.questionOf", { page: title, number })}
      </AnalysisLink>
      <span className={classes.share}>
        {t("students.map.share", { percent: averagePercent, count: answered })}
      </span>
    </>
  );
}
