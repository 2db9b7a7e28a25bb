import { useQuery } from "@apollo/client/react";
import { useMemo } from "react";
import { useAtMoment } from "../dates/useAtMoment";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { AnswerOwnerContext } from "../quiz/answerOwner";
import { fromGiven } from "../quiz/answers";
import { firstExpiry } from "../quiz/files";
import { ResultChanges } from "../quiz/ResultChanges";
import { Reviewing } from "../quiz/Results";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { attemptQuestions } from "./attemptQuestions";
import { StudentAnswersDocument, type StudentAnswersQuery } from "./Students.generated";

interface Props {
  enrollmentId: string;
  pageId: string;
  attemptId: string;
  /** The number and the result of the attempt. */
  title: string;
  onClose: () => void;
}

/** The dialog with a student's answers in one attempt beside the right answers. */
export function AttemptDialog({ enrollmentId, pageId, attemptId, title, onClose }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(StudentAnswersDocument, {
    variables: { id: enrollmentId, pageId },
    fetchPolicy: "no-cache",
  });
  // The addresses of the files in the answers expire.
  useAtMoment(data ? firstExpiry(filesIn(data)) : null, () => void refetch().catch(() => undefined));
  const taken = useMemo(() => data && takenIn(data, attemptId), [data, attemptId]);
  return (
    <Dialog open wide onClose={onClose} title={title}>
      {!data && (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="p"
          loading={<TextSkeleton lines={8} />}
        />
      )}
      {data && !taken && <p>{t("students.attempt.gone")}</p>}
      {taken && (
        <AnswerOwnerContext value="student">
          <ResultChanges changes={taken.attempt.resultChanges} tellsPassed />
          {taken.attempt.results.flatMap((result, index) => {
            const question = taken.questions.find(({ id }) => id === result.questionId);
            return question ? (
              <Reviewing
                key={result.questionId}
                question={question}
                result={result}
                attempt={taken.attempt}
                number={index + 1}
                count={taken.attempt.results.length}
                seconds={result.seconds}
              />
            ) : (
              []
            );
          })}
        </AnswerOwnerContext>
      )}
    </Dialog>
  );
}

function filesIn({ enrollment }: StudentAnswersQuery) {
  const answers = enrollment.page?.attempts.flatMap(({ answers }) => answers) ?? [];
  return answers.flatMap((answer) => fromGiven(answer).files ?? []);
}

function takenIn(data: StudentAnswersQuery, attemptId: string) {
  const attempt = data.enrollment.page?.attempts.find(({ id }) => id === attemptId);
  return attempt && { attempt, questions: attemptQuestions(attempt.quiz) };
}
