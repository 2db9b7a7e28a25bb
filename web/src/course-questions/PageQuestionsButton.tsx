import { lazy, Suspense, useState } from "react";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { IconButton } from "../ui/IconButton";
import { IconSliders } from "../ui/icons";

const PageQuestionsDialog = lazy(() => withTexts(import("./PageQuestionsDialog"), "courseQuestions"));

/** Opens the switch of questions under a page, for the owner and teachers who read it: teachers have no menu of pages. */
export function PageQuestionsButton({ pageId }: { pageId: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        aria-label={t("courseQuestions.page.open")}
        title={t("courseQuestions.page.open")}
        onClick={() => setOpen(true)}
      >
        <IconSliders size={18} />
      </IconButton>
      {isOpen && (
        <Suspense fallback={null}>
          <PageQuestionsDialog id={pageId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
