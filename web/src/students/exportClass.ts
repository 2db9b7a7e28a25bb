import type { ApolloClient } from "@apollo/client";
import type { TFunction } from "i18next";
import { csv } from "./csv";
import { CourseStudentsDocument } from "./Students.generated";
import type { Student } from "./useClass";

/** Students per request: the server's maximum. */
const AT_ONCE = 1000;

/** Loads the whole class, sorted by name, and returns it as CSV. */
export async function classAsCsv(client: ApolloClient, courseId: string, t: TFunction): Promise<string> {
  const students: Student[] = [];
  let after: string | null = null;
  do {
    const page: Page | null | undefined = await part(client, courseId, after);
    students.push(...(page?.nodes ?? []));
    after = page?.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
  } while (after !== null);
  const headings = (
    [
      "name",
      "email",
      "percent",
      "pagesDone",
      "pagesTotal",
      "enrolledAt",
      "lastActivityAt",
      "completedAt",
    ] as const
  ).map((name) => t(`students.csv.${name}`));
  const rows = students.map((student) => [
    student.user.fullName ?? "",
    student.user.email,
    student.percent,
    student.pagesDone,
    student.pagesTotal,
    student.enrolledAt,
    student.lastActivityAt,
    student.completedAt ?? "",
  ]);
  return csv([headings, ...rows]);
}

async function part(client: ApolloClient, courseId: string, after: string | null) {
  const { data } = await client.query({
    query: CourseStudentsDocument,
    variables: { id: courseId, sort: "FULL_NAME", first: AT_ONCE, after },
    fetchPolicy: "no-cache",
  });
  return data?.course.students;
}

interface Page {
  nodes: readonly Student[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

/** Saves a text as a file through the browser's download. */
export function saveFile(name: string, type: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
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
