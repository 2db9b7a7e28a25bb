import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";

/** One of the `errors` of an answer; the codes are those of docs/api.md. */
export interface Problem {
  message: string;
  path?: (string | number)[];
  extensions?: {
    code?: string;
    /** Of BAD_USER_INPUT. */
    fields?: { field: string; kind: string; message: string }[];
    /** Of RATE_LIMITED, in seconds. */
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

/** A person's view of one Kurso; without a token, nobody's. */
export class Kurso {
  constructor(
    /** As `https://kurso.example.org`. */
    readonly url: string,
    readonly token?: string,
    /** Of the texts in errors: `ru` or `en`. */
    readonly language = "en",
  ) {}

  /** Asks; throws a `KursoError` when the answer is a refusal. What a mutation expects to happen now and then is data of its answer. */
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
