import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { pageTitle } from "../course/pageTitle";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { ListSkeleton } from "../ui/Skeletons";
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
              <QuestionPart question={question} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function QuestionPart({ question }: { question: Question }) {
  const { t } = useTranslation();
  const { page, number, prompt, answered, averagePercent } = question;
  const title = pageTitle({ title: page.title, number: page.position + 1 }, t);
  return (
    <>
      <Link to="/view-page/$pageId" params={{ pageId: page.id }} className={classes.prompt}>
        {prompt || t("students.map.question", { number })}
      </Link>
      <span className={classes.where}>{t("students.map.questionOf", { page: title, number })}</span>
      <span className={classes.share}>
        {t("students.map.share", { percent: averagePercent, count: answered })}
      </span>
    </>
  );
}
