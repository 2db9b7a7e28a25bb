import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconHistory } from "../ui/laterIcons";
import classes from "./BankScreen.module.css";
import { authorQuestion, type BankQuestion } from "./bank";
import { QuestionView } from "./QuestionView";

const HistoryDialog = lazy(() =>
  import("./HistoryDialog").then((module) => ({ default: module.HistoryDialog })),
);

/** An open question for those who do not change it. */
export function ReadQuestion({ stored }: { stored: BankQuestion }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.reading}>
      <QuestionView question={authorQuestion(stored)} />
      <div className={classes.readingActions}>
        <Button variant="subtle" icon={<IconHistory size={18} />} onClick={() => setOpen(true)}>
          {t("banks.question.history")}
        </Button>
      </div>
      {isOpen && (
        <Suspense fallback={null}>
          <HistoryDialog questionId={stored.id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
