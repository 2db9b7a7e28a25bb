import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { i18n } from "../i18n";
import { parseCsv, type Separator, withLocalTimes, writeCsv } from "./csv";
import { ResultsAddressDocument } from "./Students.generated";

/** Fetches the results of the class or of one group, with the best score in each quiz, and returns them as CSV with local times. */
export async function classAsCsv(
  client: ApolloClient,
  courseId: string,
  group: string | undefined,
  separator: Separator,
): Promise<string> {
  const { data } = await client.query({
    query: ResultsAddressDocument,
    variables: { id: courseId, groupId: group ?? null },
    fetchPolicy: "no-cache",
  });
  const address = data?.course.exportUrl ?? "";
  const response = await fetch(address, { headers: { "Accept-Language": i18n.language } }).catch(
    (error: unknown) => {
      throw ApiError.from(error, address);
    },
  );
  if (!response.ok) throw await ApiError.fromResponse(response);
  return writeCsv(withLocalTimes(parseCsv(await response.text())), separator);
}

/** Turns a title into a file name that is valid on every operating system. */
export function fileName(title: string): string {
  return (
    title
      .replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
      .trim()
      .slice(0, 80) || "course"
  );
}
