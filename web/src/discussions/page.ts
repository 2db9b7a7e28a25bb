import type { CourseRole } from "../api/schema.generated";

/** What the questions of a page need to know about it. */
export interface QuestionedPage {
  id: string;
  /** The version of the text that the reader sees. */
  version: number;
  content: unknown;
  course: { id: string; myRole: CourseRole };
}
