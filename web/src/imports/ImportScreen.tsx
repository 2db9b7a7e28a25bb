import { ChooseCourseFile } from "./ChooseCourseFile";
import { ImportJob } from "./ImportJob";

/** The parameters of the address, as someone may have typed them. */
export interface ImportSearch {
  job?: string;
  update?: string;
}

/** The screen at /import: uploads a file, optionally to update a given course, or shows one import. */
export function ImportScreen({ job, update }: ImportSearch) {
  // The router parses a string of digits as a number.
  if (job) return <ImportJob key={job} jobId={String(job)} />;
  return <ChooseCourseFile update={update ? String(update) : undefined} />;
}
