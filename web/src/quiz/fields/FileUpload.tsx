import { lazy, Suspense } from "react";
import { SkeletonBlock } from "../../ui/SkeletonBlock";
import type { FieldProps } from "./props";

// Uploading is loaded on demand: most quizzes take no files.
const FilesInput = lazy(() => import("./FilesInput"));

/** Chosen files that are not a part of the answer yet: some are being uploaded, or some could not be uploaded. */
export type Unsent = "running" | "failed";

export interface FileUploadProps extends FieldProps<"FileUploadQuestion"> {
  pageId: string;
  /** Called with the state of the uploads; null when all chosen files are a part of the answer. */
  onUnsent: (unsent: Unsent | null) => void;
}

/** The answer to a question that takes files, graded by a person. */
export function FileUpload(props: FileUploadProps) {
  return (
    <Suspense fallback={<SkeletonBlock height="9rem" />}>
      <FilesInput {...props} />
    </Suspense>
  );
}
