import { lazy, Suspense, useState } from "react";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { RadioGroup } from "../ui/RadioGroup";
import { TextSkeleton } from "../ui/Skeletons";
import { quizChoices } from "./compare/mergeQuizzes";
import { type Choice, type ChoicePlace, type Conflict, resolved } from "./compare/mergeTexts";
import { PageDiff } from "./compare/PageDiff";
import { conflictNumbers, Part, Same } from "./compare/Parts";
import styles from "./compare/Parts.module.css";
import { dateAndTime } from "./dateAndTime";
import type { PageText } from "./pageText";
import type { ConflictingText } from "./sendPage";

const QuizConflict = lazy(() =>
  withTexts(import("./compare/QuizConflict"), "compare").then(({ QuizConflict }) => ({
    default: QuizConflict,
  })),
);

/** The keys of the words for both texts. */
export interface ConflictWords {
  title: Word;
  mine: Word;
  mineAbout: Word;
  theirs: Word;
  hint: Word;
  keepMine: Word;
  takeTheirs: Word;
}

type Word =
  `${"editor.conflict" | "unpublished.behind"}.${"title" | "mine" | "mineAbout" | "theirs" | "hint" | "keepMine" | "takeTheirs"}`;

/** The words for a text that was not saved and the one that another editor saved meanwhile. */
const UNSAVED: ConflictWords = {
  title: "editor.conflict.title",
  mine: "editor.conflict.mine",
  mineAbout: "editor.conflict.mineAbout",
  theirs: "editor.conflict.theirs",
  hint: "editor.conflict.hint",
  keepMine: "editor.conflict.keepMine",
  takeTheirs: "editor.conflict.takeTheirs",
};

interface Props {
  words?: ConflictWords;
  mine: PageText | null;
  theirs: PageText;
  /** Both texts merged by block; null when the text that both were made of is unknown. */
  conflict: Conflict | null;
  onClose: () => void;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onMerge: (text: ReturnType<typeof resolved>) => void;
}

/** Shows both texts of a conflict, and asks about what both have changed. */
export function ConflictDialog({
  words = UNSAVED,
  mine,
  theirs,
  conflict,
  onClose,
  onKeepMine,
  onTakeTheirs,
  onMerge,
}: Props) {
  const { t, i18n } = useTranslation();
  const [choices, setChoices] = useState<ReadonlyMap<ChoicePlace, Choice>>(new Map());
  if (!mine) return null;
  const { by, at } = theirs as ConflictingText;
  const numbers = conflictNumbers(conflict?.parts ?? []);
  const choiceOf = (place: ChoicePlace) => choices.get(place) ?? "mine";
  const decide = (how: () => void) => () => {
    how();
    onClose();
  };
  const keep = () => (conflict ? onMerge(resolved(conflict, choiceOf)) : onKeepMine());
  const isOwn = [...choices.values()].every((choice) => choice === "mine");
  const sides = {
    mine: { heading: t(words.mine), about: t(words.mineAbout), ...textOf(mine) },
    theirs: {
      heading: t(words.theirs),
      about: t("editor.conflict.theirsAbout", {
        name: by ?? t("editor.someone"),
        moment: dateAndTime(at, i18n.language, t),
      }),
      ...textOf(theirs),
    },
  };
  const choose = (place: ChoicePlace, label: string, hasBoth: boolean) => (
    <RadioGroup
      label={label}
      value={choiceOf(place)}
      onChange={(choice: Choice) => setChoices(new Map([...choices, [place, choice]]))}
      options={(hasBoth ? (["mine", "theirs", "both"] as const) : (["mine", "theirs"] as const)).map(
        (value) => ({ value, label: t(`editor.conflict.choice.${value}`) }),
      )}
    />
  );
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t(words.title)}
      actions={
        <>
          <Button variant="default" onClick={decide(onTakeTheirs)}>
            {t(words.takeTheirs)}
          </Button>
          <Button onClick={decide(keep)}>{t(isOwn ? words.keepMine : "editor.conflict.apply")}</Button>
        </>
      }
    >
      <p>{t(conflict ? "editor.conflict.mergedHint" : words.hint)}</p>
      {conflict ? (
        <div className={styles.compare}>
          <div className={styles.heads}>
            {[sides.mine, sides.theirs].map((side) => (
              <div key={side.heading}>
                <h3 className={styles.heading}>{side.heading}</h3>
                <p className={styles.about}>{side.about}</p>
                <p className={styles.title} data-changed={conflict.title.kind === "both" || undefined}>
                  {side.title ?? t("editor.untitled")}
                </p>
              </div>
            ))}
          </div>
          {conflict.title.kind === "both" && choose("title", t("editor.conflict.chooseTitle"), false)}
          {conflict.parts.map((part, index) =>
            part.kind === "settled" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the texts do not change while they are compared
              <Same key={index} blocks={part.blocks} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: likewise
              <div key={index} className={styles.choice}>
                <div className={styles.pair}>
                  <Part blocks={part.mine} heading={sides.mine.heading} number={numbers[index]} />
                  <Part blocks={part.theirs} heading={sides.theirs.heading} number={numbers[index]} />
                </div>
                {choose(index, t("editor.conflict.chooseBlock"), true)}
              </div>
            ),
          )}
          {quizChoices(conflict.quiz) > 0 && (
            <Suspense fallback={<TextSkeleton lines={8} />}>
              <QuizConflict
                quiz={conflict.quiz}
                headings={{ mine: sides.mine.heading, theirs: sides.theirs.heading }}
                choose={choose}
              />
            </Suspense>
          )}
        </div>
      ) : (
        <PageDiff before={sides.theirs} after={sides.mine} />
      )}
    </Dialog>
  );
}

const textOf = ({ title, content, quiz }: PageText) => ({ title, content, quiz });
