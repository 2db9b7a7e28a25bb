import { CombinedGraphQLErrors, ServerError, ServerParseError } from "@apollo/client/errors";

export const GRAPHQL_URL = "/graphql";

/** The statuses of the server and of the proxies before it. */
const STATUS_NAMES: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  422: "Validation Error",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** Maps the server's GraphQL error codes to the HTTP status that the REST API returns in the same case. */
const CODE_STATUS: Record<string, number> = {
  BAD_USER_INPUT: 422,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  LOCKED: 409,
  CLOSED: 409,
  RATE_LIMITED: 429,
  LIMIT_EXCEEDED: 400,
  PERSISTED_QUERY_NOT_FOUND: 400,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

interface Failure {
  url: string;
  /** HTTP status; 0 when there is no response. */
  status: number;
  statusText: string;
  body: unknown;
}

interface Options extends ErrorOptions {
  message?: string;
  isAborted?: boolean;
  isUnreachable?: boolean;
}

/** The error of any failed REST or GraphQL call. */
export class ApiError extends Error {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly body: unknown;
  /** The caller cancelled the request. */
  readonly isAborted: boolean;
  /** There is no response: the network or the server is unreachable. */
  readonly isUnreachable: boolean;

  constructor(
    failure: Failure,
    { message, isAborted = false, isUnreachable = false, ...options }: Options = {},
  ) {
    super(message ?? describe(failure), options);
    this.name = "ApiError";
    this.url = failure.url;
    this.status = failure.status;
    this.statusText = failure.statusText;
    this.body = failure.body;
    this.isAborted = isAborted;
    this.isUnreachable = isUnreachable;
  }

  /** The server rejects the session for this call, so the client removes the token. */
  get endsSession() {
    return this.status === 401 || this.status === 403;
  }

  /** The server's message: `detail`, or the first item's `msg` when it is a list. */
  get detail(): string | null {
    const detail = field(this.body, "detail");
    if (typeof detail === "string") return detail || null;
    const message = Array.isArray(detail) ? field(detail[0], "msg") : undefined;
    return typeof message === "string" && message ? message : null;
  }

  /** The validation messages by field name, from a REST or a GraphQL response. */
  get fields(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const errors = field(this.body, "errors");
    for (const error of Array.isArray(errors) ? errors : []) {
      const fields = field(field(error, "extensions"), "fields");
      for (const one of Array.isArray(fields) ? fields : [])
        add(found, field(one, "field"), field(one, "message"));
    }
    const detail = field(this.body, "detail");
    for (const one of Array.isArray(detail) ? detail : []) {
      const loc = field(one, "loc");
      add(found, Array.isArray(loc) ? loc.at(-1) : undefined, field(one, "msg"));
    }
    return found;
  }

  static from(error: unknown, url = GRAPHQL_URL): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof Error && error.name === "AbortError") {
      const options = { message: "Request aborted", isAborted: true, cause: error };
      return new ApiError({ url, status: 0, statusText: "", body: undefined }, options);
    }
    if (CombinedGraphQLErrors.is(error)) {
      // An error that ends the session takes precedence; otherwise the first error counts.
      const statusOf = (one: (typeof error.errors)[number]) =>
        CODE_STATUS[String(one.extensions?.code ?? "")] ?? 400;
      const first = error.errors.find((one) => [401, 403].includes(statusOf(one))) ?? error.errors[0];
      const status = first ? statusOf(first) : 400;
      const body = { detail: first?.message, errors: error.errors };
      return new ApiError({ url, status, statusText: STATUS_NAMES[status] ?? "", body }, { cause: error });
    }
    if (ServerError.is(error) || ServerParseError.is(error)) {
      const { response, bodyText } = error;
      return new ApiError(
        {
          url: response.url,
          status: response.status,
          statusText: response.statusText,
          body: parse(bodyText),
        },
        { cause: error },
      );
    }
    // `fetch` throws a TypeError when there is no response.
    if (error instanceof TypeError) return ApiError.unreachable(url, error);
    const message = error instanceof Error ? error.message : String(error);
    return new ApiError({ url, status: 0, statusText: "", body: undefined }, { message, cause: error });
  }

  static unreachable(url: string, cause: unknown): ApiError {
    const options = { message: "No answer came", isUnreachable: true, cause };
    return new ApiError({ url, status: 0, statusText: "", body: undefined }, options);
  }

  static async fromResponse(response: Response): Promise<ApiError> {
    const { url, status, statusText } = response;
    return new ApiError({ url, status, statusText, body: parse(await response.text()) });
  }
}

function describe({ status, statusText, body }: Failure): string {
  return (
    STATUS_NAMES[status] ??
    `Generic Error: status: ${status}; status text: ${statusText}; body: ${JSON.stringify(body, null, 2)}`
  );
}

/** Keeps the first message of each field. */
function add(found: Map<string, string>, name: unknown, message: unknown) {
  if (typeof name === "string" && typeof message === "string" && !found.has(name)) found.set(name, message);
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the error for a conflict that the payload of a mutation reports. */
export const conflictError = (message: string) =>
  new ApiError({ url: GRAPHQL_URL, status: 409, statusText: "Conflict", body: { detail: message } });
