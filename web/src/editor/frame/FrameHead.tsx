import { CommentsButton } from "../../comments/CommentsButton";
import type { OpenComments } from "../../comments/openComments";
import { useTranslation } from "../../i18n/useTranslation";
import { IconPencil } from "../../ui/authorIcons";
import { IconEye } from "../../ui/icons";
import { IconHistory } from "../../ui/laterIcons";
import { SaveState, type SaveStateKind } from "../../ui/SaveState";
import type { UnpublishedMarkFragment } from "../../unpublished/Unpublished.generated";
import { UnpublishedBar } from "../../unpublished/UnpublishedBar";
import type { EditedPage } from "../EditPage";
import type { EditSession, EditState } from "../EditSession";
import { Presence } from "../live/Presence";
import type { LivePage } from "../live/useLivePage";
import type { SaveStatus } from "../saving";
import { useEditSession } from "../useEditSession";
import styles from "./Frame.module.css";
import { PublishSwitch } from "./PublishSwitch";
import { useEditTop } from "./useEditTop";

interface Props {
  session: EditSession;
  page: EditedPage;
  mark: UnpublishedMarkFragment;
  live: LivePage;
  comments: OpenComments;
  isPreview: boolean;
  onPreview: (on: boolean) => void;
  onHistory: () => void;
}

/** The bar above every open page: its save status, who else has it open, and its actions. */
export function FrameHead({ session, page, mark, live, comments, isPreview, onPreview, onHistory }: Props) {
  const { t } = useTranslation();
  const head = useEditTop();
  return (
    <div ref={head} className={styles.head}>
      <Status session={session} />
      <Presence present={live.present} followed={live.followed} />
      <div className={styles.actions}>
        <PublishSwitch kind={page.kind} mark={mark} session={session} />
        <CommentsButton comments={comments} />
        <button type="button" className={styles.action} onClick={onHistory}>
          <IconHistory size={18} />
          <span>{t("editor.history.open")}</span>
        </button>
        <button
          type="button"
          className={styles.action}
          aria-pressed={isPreview}
          onClick={() => onPreview(!isPreview)}
        >
          {isPreview ? <IconPencil size={18} /> : <IconEye size={18} />}
          <span>{t(isPreview ? "editor.backToEditing" : "editor.preview")}</span>
        </button>
      </div>
      <UnpublishedBar session={session} courseId={page.course.id} mark={mark} />
    </div>
  );
}

const SHOWN: Record<SaveStatus, SaveStateKind> = {
  saved: "saved",
  saving: "saving",
  offline: "offline",
  conflict: "conflict",
  refused: "failed",
  ended: "unsaved",
};

const chooseStatus = ({ status }: EditState) => ({ status });

/** A component of its own, because it alone changes with the first key press after each save. */
function Status({ session }: { session: EditSession }) {
  const { status } = useEditSession(session, chooseStatus);
  return <SaveState state={SHOWN[status]} />;
}
