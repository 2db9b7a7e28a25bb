import { lazy, Suspense, useState } from "react";
import { withTexts } from "../i18n";
import { Button } from "../ui/Button";
import { IconEye } from "../ui/icons";

const PreviewDialog = lazy(() => withTexts(import("./PreviewDialog"), "students", "overrides", "dates"));

/** A button that opens the dialog of a preview: whom it shows, and at which moment. */
export function PreviewButton({ courseId, children }: { courseId: string; children: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" icon={<IconEye size={18} />} onClick={() => setOpen(true)}>
        {children}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <PreviewDialog courseId={courseId} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
