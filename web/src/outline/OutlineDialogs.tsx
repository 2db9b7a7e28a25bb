import { lazy, Suspense } from "react";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import type { OutlineActions } from "./actions";
import { ModuleDialog } from "./ModuleDialog";
import { MoveDialog } from "./MoveDialog";
import type { Refused } from "./outlineStore";
import { entryTitle } from "./titles";
import { indexOf, type Tree } from "./tree";

const DatesDialog = lazy(() => withTexts(import("../dates/DatesDialog"), "dates"));
const PrerequisitesDialog = lazy(() => withTexts(import("../dates/PrerequisitesDialog"), "dates"));
const PageQuestionsDialog = lazy(() =>
  withTexts(import("../course-questions/PageQuestionsDialog"), "courseQuestions"),
);
const UnfinishedQuizzes = lazy(() => withTexts(import("./UnfinishedQuizzes"), "quizBuilder"));

/** The dialog over the outline; one at a time. */
export type OutlineDialog =
  | { kind: "move"; ids: readonly string[] }
  | { kind: "module"; id: string }
  | { kind: "dates" | "prerequisites" | "questions"; id: string }
  | { kind: "unfinished"; quizzes: readonly Refused[] };

interface Props {
  tree: Tree;
  dialog: OutlineDialog | null;
  actions: OutlineActions;
}

/** The dialog that `actions.openDialog` has opened. A new dialog is a kind above and a case here. */
export function OutlineDialogs({ tree, dialog, actions }: Props) {
  const { t } = useTranslation();
  switch (dialog?.kind) {
    case "move":
      return (
        <MoveDialog
          tree={tree}
          ids={dialog.ids}
          onClose={actions.closeDialog}
          onMove={(position) => {
            actions.move(dialog.ids, position);
            actions.closeDialog();
            const [first] = dialog.ids;
            if (first) actions.focus(first);
          }}
        />
      );
    case "module":
      return (
        <ModuleDialog
          module={tree.modules.find((module) => module.id === dialog.id)}
          onClose={actions.closeDialog}
        />
      );
    case "dates":
    case "prerequisites":
    case "questions": {
      const Chosen = {
        dates: DatesDialog,
        prerequisites: PrerequisitesDialog,
        questions: PageQuestionsDialog,
      }[dialog.kind];
      const entry = indexOf(tree).get(dialog.id);
      return (
        entry && (
          <Suspense fallback={null}>
            <Chosen
              courseId={tree.id}
              id={dialog.id}
              title={entryTitle(entry, t)}
              onClose={actions.closeDialog}
            />
          </Suspense>
        )
      );
    }
    case "unfinished": {
      const entries = indexOf(tree);
      const quizzes = dialog.quizzes.flatMap((quiz) => {
        const entry = entries.get(quiz.id);
        return entry ? [{ ...quiz, entry }] : [];
      });
      return (
        <Suspense fallback={null}>
          <UnfinishedQuizzes quizzes={quizzes} onClose={actions.closeDialog} />
        </Suspense>
      );
    }
    default:
      return null;
  }
}
