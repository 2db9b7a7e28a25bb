import { ChooseCourseFile } from "./ChooseCourseFile";
import { ImportJob } from "./ImportJob";

/** The screen at /import: uploads a file, optionally to update a given course, or shows one import. */
export function ImportScreen({ job, update }: { job?: string; update?: string }) {
  return job === undefined ? <ChooseCourseFile update={update} /> : <ImportJob key={job} jobId={job} />;
}
