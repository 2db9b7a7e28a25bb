import { addWords } from "../i18n";
import { imports } from "../i18n/ru/imports";
import { ChooseCourseFile } from "./ChooseCourseFile";
import { ImportOfJob } from "./ImportOfJob";

addWords({ imports });

/** The screen of /import: a file to choose, for a course that it shall update where one is named, or what has become of one. */
export function ImportScreen({ job, update }: { job?: string; update?: string }) {
  return job === undefined ? <ChooseCourseFile update={update} /> : <ImportOfJob key={job} jobId={job} />;
}
