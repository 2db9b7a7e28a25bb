import { Link } from "@tanstack/react-router";
import { useTranslation } from "../i18n/useTranslation";
import type { Page } from "./ReadingPage";

/** Tells staff that they see a page as learners do, or that learners do not see it, and leads back to the editor. */
export function PreviewNote({ page }: { page: Page }) {
  const { t } = useTranslation();
  const { myRole } = page.course;
  return (
    <>
      {t(page.published ? "learning.preview.note" : "learning.preview.draft")}{" "}
      {(myRole === "OWNER" || myRole === "EDITOR") && (
        <Link to="/edit-page/$pageId" params={{ pageId: page.id }}>
          {t("learning.preview.backToEditing")}
        </Link>
      )}
    </>
  );
}
