import { useState } from "react";
import { dateAndTime } from "../editor/dateAndTime";
import { useTranslation } from "../i18n/useTranslation";
import type { AuthorQuestion } from "../quiz-builder/model";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { authorQuestion, type BankQuestion } from "./bank";
import classes from "./ConflictDialog.module.css";
import { QuestionView } from "./QuestionView";

interface ConflictDialogProps {
  mine: AuthorQuestion;
  theirs: BankQuestion;
  onClose: () => void;
  onKeepMine: () => Promise<void>;
  onTakeTheirs: () => void;
  /** Keeps the stored version, and adds the other one as a question of its own. */
  onBoth: () => Promise<void>;
}

/** Two versions of a question that were written at the same time, side by side. */
export function ConflictDialog({ mine, theirs, onClose, ...choices }: ConflictDialogProps) {
  const { t, i18n } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const run = (choice: () => Promise<void>) => async () => {
    setBusy(true);
    await choice();
    setBusy(false);
  };
  const about = t("banks.conflict.theirsAbout", {
    name: theirs.changedBy?.fullName ?? t("banks.conflict.someone"),
    when: dateAndTime(theirs.changedAt, i18n.language, t),
  });
  const sides = [
    { heading: t("banks.conflict.mine"), about: t("banks.conflict.mineAbout"), question: mine },
    { heading: t("banks.conflict.theirs"), about, question: authorQuestion(theirs) },
  ];
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("banks.conflict.title")}
      actions={
        <>
          <Button variant="subtle" disabled={isBusy} onClick={run(choices.onBoth)}>
            {t("banks.conflict.both")}
          </Button>
          <Button variant="default" disabled={isBusy} onClick={choices.onTakeTheirs}>
            {t("banks.conflict.takeTheirs")}
          </Button>
          <Button loading={isBusy} onClick={run(choices.onKeepMine)}>
            {t("banks.conflict.keepMine")}
          </Button>
        </>
      }
    >
      <p>{t("banks.conflict.text")}</p>
      <div className={classes.sides}>
        {sides.map(({ heading, about, question }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls to what is below
          <section key={heading} className={classes.side} aria-label={heading} tabIndex={0}>
            <h3 className={classes.heading}>{heading}</h3>
            <p className={classes.about}>{about}</p>
            <QuestionView question={question} />
          </section>
        ))}
      </div>
    </Dialog>
  );
}
