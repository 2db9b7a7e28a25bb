import { lazy, Suspense } from "react";
import { isGuest } from "../../api/session";
import { AccountLink } from "../../guests/AccountLink";
import { useTranslation } from "../../i18n/useTranslation";
import { SkeletonBlock } from "../../ui/SkeletonBlock";
import type { FileRules } from "../files";
import type { FieldProps } from "./props";

// Uploading is loaded on demand: most quizzes take no files.
const FilesInput = lazy(() => import("./FilesInput"));

/** Chosen files that are not a part of the answer yet: some are being uploaded, or some could not be uploaded. */
export type Unsent = "running" | "failed";

export interface FileUploadProps extends Omit<FieldProps<"FileUploadQuestion">, "question"> {
  question: FileRules;
  pageId: string;
  /** Called with the state of the uploads; null when all chosen files are a part of the answer. */
  onUnsent: (unsent: Unsent | null) => void;
  /** Whether the files are one part of an answer, whose form tells who grades it. */
  isPart?: boolean;
}

/** The answer to a question that takes files, graded by a person. Guests cannot send files. */
export function FileUpload(props: FileUploadProps) {
  const { t } = useTranslation();
  if (isGuest())
    return (
      <p>
        {t("quiz.files.guest")} <AccountLink to="/signup">{t("quiz.files.guestSignUp")}</AccountLink>.
      </p>
    );
  return (
    <Suspense fallback={<SkeletonBlock height="9rem" />}>
      <FilesInput {...props} />
    </Suspense>
  );
}
