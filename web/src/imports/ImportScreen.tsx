import { addWords } from "../i18n";
import { imports } from "../i18n/ru/imports";
import { ChooseCourseFile } from "./ChooseCourseFile";
import { ImportOfJob } from "./ImportOfJob";

addWords({ imports });

/** The screen of /import: a file to choose, or what has become of one. */
export function ImportScreen({ job }: { job?: string }) {
  return job === undefined ? <ChooseCourseFile /> : <ImportOfJob key={job} jobId={job} />;
}
