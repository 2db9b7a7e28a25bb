import { GRAPHQL_URL } from "../../api/apiError";
import { offeredToken } from "../../developer-bar/identity";

/** An example operation, ready to run with ids of objects that the user may see. */
export interface Example {
  title: string;
  text: string;
  query: string;
  /** The variables; the values of `uploaded` are those of the file that the user chose. */
  variables: (uploaded: Uploaded) => Promise<object>;
  /** The types of files that the example uploads before it opens; absent when it needs no file. */
  accept?: string;
}

/** The response to an upload. */
export interface Uploaded {
  id: string;
  url: string;
  filename: string;
  content_type: string;
  size: number;
}

export interface Prepared {
  query: string;
  variables: string;
}

const NOTHING: Uploaded = { id: "", url: "", filename: "", content_type: "", size: 0 };

export async function prepare({ query, variables }: Example, uploaded = NOTHING): Promise<Prepared> {
  return { query, variables: JSON.stringify(await variables(uploaded), null, 2) };
}

/** Returns the id, or fails with what the user must do first; a visitor gets an empty id to fill in. */
export function orExplain(id: string | undefined, first: string): string {
  if (id === undefined && offeredToken() !== "") throw new Error(first);
  return id ?? "";
}

/** Uploads a file over REST, because GraphQL has no uploads. Throws the server's message when it is refused. */
export async function upload(file: File): Promise<Uploaded> {
  const body = new FormData();
  body.append("file", file);
  const response = await fetch("/api/v1/courses/upload_file", {
    method: "POST",
    headers: { authorization: `Bearer ${offeredToken()}`, "accept-language": document.documentElement.lang },
    body,
  });
  const answer: Uploaded & { detail?: string } = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

/** Returns null without a session or a response; the example then has placeholders to fill in. */
export async function ask<T>(query: string, variables: object = {}): Promise<T | null> {
  const response = await fetch(GRAPHQL_URL, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${offeredToken()}` },
    body: JSON.stringify({ query, variables }),
  }).catch(() => null);
  const body: { data?: T | null } | undefined = await response?.json().catch(() => undefined);
  return body?.data ?? null;
}
