import { useTranslation } from "../i18n/useTranslation";
import { POINTS_MAX } from "../limits.generated";
import { NumberField } from "./AnswerEditor";
import { type AuthorQuestion, takesRubric } from "./model";
import { numberText } from "./numbers";
import { type ProblemAt, TextField } from "./parts";
import { roundPoints } from "./rubric";

interface PointsFieldProps {
  question: AuthorQuestion;
  onChange: (points: number) => void;
  problemAt: ProblemAt;
}

/** Edits the points of a question; with a rubric, shows those that follow from it. */
export function PointsField({ question, onChange, problemAt }: PointsFieldProps) {
  const { t } = useTranslation();
  return takesRubric(question) && question.rubric ? (
    <TextField
      label={t("quizBuilder.points")}
      readOnly
      value={numberText(question.points)}
      hint={t("quizBuilder.rubric.sum")}
      problem={
        question.points > POINTS_MAX
          ? t("quizBuilder.rubric.tooMany", { max: POINTS_MAX })
          : problemAt("points")
      }
    />
  ) : (
    <NumberField
      label={t("quizBuilder.points")}
      value={question.points}
      min={0}
      max={POINTS_MAX}
      problem={problemAt("points")}
      onChange={(points) => onChange(roundPoints(points ?? 0))}
    />
  );
}
