import { useSelector } from "@tanstack/react-store";
import type { Ref } from "react";
import frame from "../editor/frame/Frame.module.css";
import { useTranslation } from "../i18n/useTranslation";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { IconComment } from "./IconComment";
import type { OpenComments } from "./openComments";

/** Opens and closes the comments of a page; shows how many threads are open. */
export function CommentsButton({ comments, ref }: { comments: OpenComments; ref?: Ref<HTMLButtonElement> }) {
  const { t } = useTranslation();
  const { isOpen, count } = useSelector(comments.state);
  return (
    <button
      ref={ref}
      type="button"
      className={`${frame.action} ${frame.comments}`}
      aria-pressed={isOpen}
      onClick={comments.toggle}
    >
      <IconComment size={18} />
      <span>{t("editor.comments.open")}</span>
      {/* Room for the number, which comes later. */}
      <b className={frame.count} aria-hidden="true">
        {count || ""}
      </b>
      {count ? <VisuallyHidden>{t("editor.comments.count", { count })}</VisuallyHidden> : null}
    </button>
  );
}
