import { Suspense } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { TextSkeleton } from "../ui/Skeletons";
import { AnswerForm } from "./AnswerForm";
import classes from "./AnswerForm.module.css";
import type { Attempt, Question, QuizPageState } from "./model";
import { checksEach } from "./startsAttempt";
import { StepForm } from "./stepwise/loaded";
import { type Mode, useTaking } from "./useTaking";

interface TakingProps {
  page: QuizPageState;
  questions: readonly Question[];
  userId: string;
  mode: Mode;
  /** The quiz takes no attempts any more: its questions can only be read. */
  isClosed: boolean;
  onTaken: (attempt: Attempt, questions: readonly Question[]) => void;
  /** Shows the last attempt; undefined without one. */
  onResults: (() => void) | undefined;
}

/** An attempt that is not started on the server: its answers stay on this device until they are submitted. */
export function Taking({ page, questions, userId, mode, isClosed, onTaken, onResults }: TakingProps) {
  const { t } = useTranslation();
  const work = useTaking({ page, questions, userId, mode, onTaken });
  const isReadOnly = isClosed || mode === "look";
  const isOutOfAttempts = page.attemptsLeft === 0;
  const end =
    isReadOnly || (mode === "take" && isOutOfAttempts) ? (
      <>
        {mode === "look" && !isClosed && !isOutOfAttempts && (
          <p className={classes.readOnly}>{t("quiz.readOnly")}</p>
        )}
        {onResults && (
          <Button variant="default" onClick={onResults}>
            {t("quiz.toResults")}
          </Button>
        )}
      </>
    ) : undefined;
  const form = { page, questions, mode, isReadOnly, end };
  if (mode === "try" && checksEach(page.quiz))
    return (
      <Suspense fallback={<TextSkeleton lines={8} />}>
        <StepForm {...form} work={work} />
      </Suspense>
    );
  return <AnswerForm {...form} work={work} />;
}
