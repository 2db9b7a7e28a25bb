import { useQuery, useSubscription } from "@apollo/client/react";
import { useBurst } from "../ui/useBurst";
import { useReadAgain } from "../unpublished/useReadAgain";
import { CourseQuestionsChangedDocument, QuestionCountsDocument } from "./CourseQuestions.generated";

export interface QuestionCounts {
  /** Whether learners read and write questions. */
  isOn: boolean;
  all: number;
  unanswered: number;
  reported: number;
}

/** How many questions a course has and how many wait, kept up to date; undefined until the server has answered, and for others than staff. */
export function useQuestionCounts(courseId: string, isStaff: boolean): QuestionCounts | undefined {
  const { data, refetch } = useQuery(QuestionCountsDocument, {
    variables: { courseId },
    skip: !isStaff,
    fetchPolicy: "cache-and-network",
  });
  const read = async () => isStaff && (await refetch());
  const readSoon = useBurst(() => void read().catch(() => undefined), 300, 2000);
  useSubscription(CourseQuestionsChangedDocument, {
    variables: { courseId },
    skip: !isStaff,
    onData: readSoon,
  });
  useReadAgain(read);
  if (!isStaff || !data?.course.discussionSettings) return undefined;
  const { discussionSettings, allQuestions, unansweredQuestions, reportedQuestions } = data.course;
  return {
    isOn: discussionSettings.isOn,
    all: allQuestions.totalCount,
    unanswered: unansweredQuestions.totalCount,
    reported: reportedQuestions.totalCount,
  };
}
