import { useQuery } from "@apollo/client/react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { LoadFailure } from "../errors/LoadFailure";
import { Reviewing } from "../quiz/Results";
import { WhoseContext } from "../quiz/whose";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { StudentAnswersDocument, type StudentAnswersQuery } from "./Students.generated";
import { questionsTaken } from "./taken";

interface Props {
  enrollmentId: string;
  pageId: string;
  attemptId: string;
  /** Which attempt it was and what it came to. */
  title: string;
  onClose: () => void;
}

/** What a student answered in one attempt, beside what is right. */
export function AttemptDialog({ enrollmentId, pageId, attemptId, title, onClose }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(StudentAnswersDocument, {
    variables: { id: enrollmentId, pageId },
    fetchPolicy: "no-cache",
  });
  const taken = useMemo(() => data && takenIn(data, attemptId), [data, attemptId]);
  return (
    <Dialog open wide onClose={onClose} title={title}>
      {error && !data && <LoadFailure error={error} retry={() => void refetch()} heading="p" />}
      {!data && !error && <TextSkeleton lines={8} />}
      {data && !taken && <p>{t("students.attempt.gone")}</p>}
      {taken && (
        <WhoseContext value="student">
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
              />
            ) : (
              []
            );
          })}
        </WhoseContext>
      )}
    </Dialog>
  );
}

function takenIn(data: StudentAnswersQuery, attemptId: string) {
  const attempt = data.enrollment.page?.attempts.find(({ id }) => id === attemptId);
  return attempt && { attempt, questions: questionsTaken(attempt.quiz) };
}
