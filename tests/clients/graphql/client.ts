import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";

/** One of the `errors` of a response; docs/api.md lists the codes. */
export interface Problem {
  message: string;
  path?: (string | number)[];
  extensions?: {
    code?: string;
    /** Set for BAD_USER_INPUT. */
    fields?: { field: string; kind: string; message: string }[];
    /** Set for RATE_LIMITED, in seconds. */
    retryAfter?: number;
  };
}

export class KursoError extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super(problems[0]?.message ?? "the answer holds no data");
    this.name = "KursoError";
  }

  get code(): string | undefined {
    return this.problems[0]?.extensions?.code;
  }

  get fields(): NonNullable<NonNullable<Problem["extensions"]>["fields"]> {
    return this.problems[0]?.extensions?.fields ?? [];
  }
}

/** A client of one Kurso server, anonymous without a token. */
export class Kurso {
  constructor(
    /** For example `https://kurso.example.org`. */
    readonly url: string,
    readonly token?: string,
    /** The language of error texts: `ru` or `en`. */
    readonly language = "en",
  ) {}

  /** Executes a document and returns its data; throws a `KursoError` on errors. Expected outcomes of mutations are part of the data. */
  async ask<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data> {
    const answer = await fetch(`${this.url}/graphql`, {
      method: "POST",
      headers: {
        accept: "application/graphql-response+json",
        "accept-language": this.language,
        "content-type": "application/json",
        ...(this.token && { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query: print(document), variables }),
    });
    const { data, errors }: { data?: Data | null; errors?: Problem[] } = await answer.json();
    if (errors || !data) throw new KursoError(errors ?? []);
    return data;
  }
}
