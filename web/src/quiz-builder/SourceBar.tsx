import { lazy, Suspense, useState } from "react";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import type { AuthorQuestion } from "./model";
import classes from "./SourceBar.module.css";
import type { BankVersion } from "./source";

const QuestionView = lazy(() =>
  withTexts(import("../banks/QuestionView"), "banks").then(({ QuestionView }) => ({ default: QuestionView })),
);

interface SourceBarProps {
  question: AuthorQuestion;
  newer: BankVersion;
  onUpdate: () => void;
}

/** Says that the source of a question has a newer version, which can be compared and taken. */
export function SourceBar({ question, newer, onUpdate }: SourceBarProps) {
  const { t } = useTranslation();
  const [isComparing, setComparing] = useState(false);
  const update = () => {
    setComparing(false);
    onUpdate();
  };
  return (
    <div className={classes.bar}>
      <p>{t("quizBuilder.source.newerText")}</p>
      <Button variant="subtle" size="compact" onClick={() => setComparing(true)}>
        {t("quizBuilder.source.compare")}
      </Button>
      <Button variant="default" size="compact" onClick={update}>
        {t("quizBuilder.source.update")}
      </Button>
      {isComparing && (
        <Dialog
          open
          wide
          title={t("quizBuilder.source.title")}
          onClose={() => setComparing(false)}
          actions={
            <>
              <Button variant="default" onClick={() => setComparing(false)}>
                {t("quizBuilder.source.keep")}
              </Button>
              <Button onClick={update}>{t("quizBuilder.source.update")}</Button>
            </>
          }
        >
          <Suspense fallback={<TextSkeleton lines={6} />}>
            <div className={classes.sides}>
              <section>
                <h3>{t("quizBuilder.source.mine")}</h3>
                <QuestionView question={question} />
              </section>
              <section>
                <h3>{t("quizBuilder.source.theirs")}</h3>
                <QuestionView question={newer.question} />
              </section>
            </div>
          </Suspense>
          <p className={classes.hint}>{t("quizBuilder.source.updateHint")}</p>
        </Dialog>
      )}
    </div>
  );
}
