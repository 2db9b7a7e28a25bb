import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { withTexts } from "../../i18n";
import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { keepJson, readJson } from "../../ui/localJson";
import { TextSkeleton } from "../../ui/Skeletons";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { BlockChange, Frame, type View } from "./BlockChanges";
import { ChangesBar } from "./ChangesBar";
import { diffContent } from "./diffContent";
import { diffQuiz } from "./diffQuiz";
import type { ComparedText } from "./PageDiff";
import styles from "./PageDiff.module.css";
import { TextChange } from "./ValueChange";

/** Loaded for quizzes alone. */
const QuizChanges = lazy(() =>
  withTexts(import("./QuizChanges"), "quiz", "quizBuilder", "banks").then(({ QuizChanges }) => ({
    default: QuizChanges,
  })),
);

/** The preference on this device. */
const VIEW = "compare_view";
/** So many changes are shown at first, because a browser takes long to lay out more. */
const FIRST_CHANGES = 150;

/** All changes from one text of a page to another, in the order of the page. */
export function PageChanges({ before, after }: { before: ComparedText; after: ComparedText }) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const isWide = useMediaQuery("(min-width: 64rem)");
  const [chosen, setChosen] = useState<View>(() => (readJson(VIEW) === "columns" ? "columns" : "inline"));
  const [isWhole, setWhole] = useState(false);
  const blocks = useMemo(() => diffContent(before.content, after.content), [before.content, after.content]);
  const quiz = useMemo(() => diffQuiz(before.quiz, after.quiz), [before.quiz, after.quiz]);

  const isOtherTitle = before.title !== after.title;
  const isOtherQuiz =
    quiz.settings.length > 0 || quiz.questions.some((one) => one.kind !== "same" || one.isMoved);
  const view = isWide ? chosen : "inline";
  const choose = (next: View) => {
    setChosen(next);
    keepJson(VIEW, next);
  };
  const count =
    Number(isOtherTitle) +
    blocks.filter(({ kind }) => kind !== "same" && kind !== "left").length +
    Number(quiz.settings.length > 0) +
    quiz.questions.filter((one) => one.kind !== "same" || one.isMoved).length;
  const shown = isWhole ? blocks : blocks.slice(0, 2 * FIRST_CHANGES);
  return (
    <div className={styles.diff} ref={root}>
      <div className={styles.sides}>
        {([before, after] as const).map((side, at) => (
          <div
            key={at === 0 ? "before" : "after"}
            className={styles.side}
            data-side={at === 0 ? "before" : "after"}
          >
            <h3 className={styles.heading}>{side.heading}</h3>
            <p className={styles.about}>{side.about}</p>
          </div>
        ))}
      </div>
      {count === 0 ? (
        <p className={styles.about}>{t("compare.same")}</p>
      ) : (
        <ChangesBar root={root} count={count} view={isWide ? view : null} onView={choose} />
      )}
      {isOtherTitle && (
        <Frame kind="changed" label={t("compare.title")}>
          <p className={styles.title}>
            <TextChange
              before={before.title ?? t("compare.untitled")}
              after={after.title ?? t("compare.untitled")}
            />
          </p>
        </Frame>
      )}
      {shown.map((change, at) => (
        <BlockChange
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts do not change while they are compared
          key={at}
          change={change}
          view={view}
          isFirst={at === 0}
          isLast={at === blocks.length - 1}
        />
      ))}
      {shown.length < blocks.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          {t("compare.more")}
        </Button>
      )}
      {isOtherQuiz && (
        <Suspense fallback={<TextSkeleton lines={4} />}>
          <QuizChanges changes={quiz} />
        </Suspense>
      )}
    </div>
  );
}
