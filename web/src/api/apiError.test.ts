import { CombinedGraphQLErrors, ServerError } from "@apollo/client/errors";
import { describe, expect, test } from "vitest";
import { ApiError } from "./apiError";

function answer(status: number, body: unknown, statusText = "") {
  const response = new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    statusText,
  });
  Object.defineProperty(response, "url", { value: "http://kurso/api/v1/x" });
  return response;
}

function refusal(code: string, message: string) {
  return new CombinedGraphQLErrors({ errors: [{ message, extensions: { code } }] });
}

describe("over REST", () => {
  test.each([
    [400, "Bad Request"],
    [401, "Unauthorized"],
    [403, "Forbidden"],
    [404, "Not Found"],
    [409, "Conflict"],
    [422, "Validation Error"],
    [429, "Too Many Requests"],
    [500, "Internal Server Error"],
    [503, "Service Unavailable"],
  ])("%i is %s", async (status, message) => {
    const error = await ApiError.fromResponse(answer(status, { detail: "why" }));
    expect(error).toMatchObject({ message, status, url: "http://kurso/api/v1/x", body: { detail: "why" } });
  });

  test("any other status is a Generic Error with status, status text and body", async () => {
    const error = await ApiError.fromResponse(answer(599, { detail: "odd" }, "Odd"));
    expect(error.message).toMatch(
      /^Generic Error: status: 599; status text: Odd; body: \{\s+"detail": "odd"\s+\}$/,
    );
  });

  test("a body that is not JSON is kept as text", async () => {
    const error = await ApiError.fromResponse(answer(502, "<html>"));
    expect(error.body).toBe("<html>");
    expect(error.detail).toBeNull();
  });
});

describe("the detail", () => {
  const detail = (body: unknown) => new ApiError({ url: "", status: 422, statusText: "", body }).detail;
  test("is the server's message", () => expect(detail({ detail: "Нет места" })).toBe("Нет места"));
  test("is the first message when the server sends a list", () =>
    expect(detail({ detail: [{ msg: "first" }, { msg: "second" }] })).toBe("first"));
  test.each([{}, null, "text", { detail: "" }, { detail: [] }, { detail: [{}] }, { detail: 5 }])(
    "is missing in %j",
    (body) => expect(detail(body)).toBeNull(),
  );
});

describe("over GraphQL", () => {
  test.each([
    ["UNAUTHENTICATED", 401, "Unauthorized", true],
    ["FORBIDDEN", 403, "Forbidden", true],
    ["NOT_FOUND", 404, "Not Found", false],
    ["CONFLICT", 409, "Conflict", false],
    ["BAD_USER_INPUT", 422, "Validation Error", false],
    ["RATE_LIMITED", 429, "Too Many Requests", false],
    ["UNAVAILABLE", 503, "Service Unavailable", false],
    ["INTERNAL", 500, "Internal Server Error", false],
  ])("%s is %i", (code, status, message, endsSession) => {
    const error = ApiError.from(refusal(code, "why"));
    expect(error).toMatchObject({
      status,
      message,
      statusText: message,
      url: "/graphql",
      detail: "why",
      endsSession,
    });
  });

  test("a response that is not GraphQL keeps its status and body", () => {
    const response = answer(403, { detail: "no" });
    const error = ApiError.from(new ServerError("", { response, bodyText: '{"detail":"no"}' }));
    expect(error).toMatchObject({
      status: 403,
      url: "http://kurso/api/v1/x",
      detail: "no",
      endsSession: true,
    });
  });
});

describe("several GraphQL errors", () => {
  test("take the status of the one that ends the session", () => {
    const errors = ["NOT_FOUND", "FORBIDDEN"].map((code) => ({ message: code, extensions: { code } }));
    expect(ApiError.from(new CombinedGraphQLErrors({ errors }))).toMatchObject({
      status: 403,
      detail: "FORBIDDEN",
      endsSession: true,
    });
  });

  test("otherwise take the status of the first one", () => {
    const errors = ["CONFLICT", "NOT_FOUND"].map((code) => ({ message: code, extensions: { code } }));
    expect(ApiError.from(new CombinedGraphQLErrors({ errors }))).toMatchObject({ status: 409 });
  });
});

describe("field errors", () => {
  test("are read from a GraphQL response", () => {
    const fields = [
      { field: "fullName", kind: "string_too_long", message: "Слишком длинно" },
      { field: "email", kind: "value_error", message: "Это не адрес" },
      { field: "email", kind: "value_error", message: "И ещё" },
    ];
    const error = new CombinedGraphQLErrors({
      errors: [{ message: "x", extensions: { code: "BAD_USER_INPUT", fields } }],
    });
    expect([...ApiError.from(error).fields]).toEqual([
      ["fullName", "Слишком длинно"],
      ["email", "Это не адрес"],
    ]);
  });

  test("are read from a REST response", () => {
    const body = { detail: [{ type: "missing", loc: ["body", "full_name"], msg: "Нужно имя" }] };
    const error = new ApiError({ url: "", status: 422, statusText: "", body });
    expect([...error.fields]).toEqual([["full_name", "Нужно имя"]]);
  });

  test("are empty for other failures", () => {
    expect(ApiError.from(refusal("NOT_FOUND", "why")).fields.size).toBe(0);
    expect(ApiError.from(new Error("boom")).fields.size).toBe(0);
  });
});

test("a cancelled request is recognised as aborted", () => {
  const error = ApiError.from(new DOMException("The operation was aborted", "AbortError"));
  expect(error).toMatchObject({ message: "Request aborted", isAborted: true, isUnreachable: false });
});

test("a request without a response is a network error", () => {
  const error = ApiError.from(new TypeError("Failed to fetch"), "/api/v1/x");
  expect(error).toMatchObject({ url: "/api/v1/x", status: 0, isUnreachable: true, isAborted: false });
});

test("any other failure keeps its message and is not a network error", () => {
  expect(ApiError.from(new Error("boom"))).toMatchObject({ message: "boom", isUnreachable: false });
  const error = ApiError.unreachable("/x", undefined);
  expect(ApiError.from(error)).toBe(error);
});
