import { useTranslation } from "../i18n/useTranslation";
import type { Attempt } from "./model";

interface BestProps {
  percent: number;
  attempts: readonly Pick<Attempt, "waitingAnswers">[];
}

/** The best result so far; it can still rise while answers wait for grading. */
export function Best({ percent, attempts }: BestProps) {
  const { t } = useTranslation();
  return (
    <span>
      {t("quiz.best", { percent })}
      {attempts.some(({ waitingAnswers }) => waitingAnswers > 0) && `, ${t("quiz.essay.waitingNow")}`}
    </span>
  );
}
