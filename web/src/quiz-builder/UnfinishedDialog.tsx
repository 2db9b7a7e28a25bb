import { useTranslation } from "../i18n/useTranslation";
import { Dialog } from "../ui/Dialog";
import type { MissingPart } from "./completeness";
import { MissingList } from "./MissingList";

interface UnfinishedDialogProps {
  missing: readonly MissingPart[];
  isAssignment: boolean;
  /** Opens a question by its index. */
  onShow: (question: number) => void;
  onClose: () => void;
}

/** Everything that a quiz lacks before it can be published; each question leads to its place. */
export function UnfinishedDialog({ missing, isAssignment, onShow, onClose }: UnfinishedDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(isAssignment ? "quizBuilder.handIn.unfinished" : "quizBuilder.unfinished.title")}
    >
      <p>{t("quizBuilder.unfinished.text")}</p>
      <MissingList
        missing={missing}
        isAssignment={isAssignment}
        leadTo={(question, content) => (
          <button
            type="button"
            onClick={() => {
              onClose();
              onShow(question);
            }}
          >
            {content}
          </button>
        )}
      />
    </Dialog>
  );
}
