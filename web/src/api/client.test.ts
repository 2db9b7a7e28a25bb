import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "graphql";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startI18n } from "../testing/startI18n";
import { createClient } from "./client";
import { login } from "./rest";
import { takeReturnPath } from "./returnPath";
import { onSessionEnd, storeToken, token } from "./session";

beforeAll(startI18n);

const calls: { url: string; request: RequestInit }[] = [];
let answer: () => Response;

beforeEach(() => {
  calls.length = 0;
  answer = () => Response.json({ data: { done: true } });
  vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
    calls.push({ url, request });
    return answer();
  });
});
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

const query = () => createClient().query({ query: parse("{ done }") });
const mutation = () => createClient().mutate({ mutation: parse("mutation { done }") });
const sent = (at = 0) => new Headers(calls[at]?.request.headers);

describe("every request", () => {
  test("carries the stored token and credentials", async () => {
    localStorage.setItem("access_token", "a.b.c");
    await query();
    await mutation();
    for (const at of [0, 1]) {
      expect(sent(at).get("authorization")).toBe("Bearer a.b.c");
      expect(sent(at).get("content-type")).toBe("application/json");
      expect(calls[at]?.request.credentials).toBe("include");
    }
  });

  test("carries an empty token when none is stored", async () => {
    await query();
    expect(sent().get("authorization")?.trim()).toBe("Bearer");
  });
});

describe("signing in", () => {
  test("sends a form-urlencoded request and returns the token", async () => {
    answer = () => Response.json({ access_token: "a.b.c", token_type: "bearer" });
    expect(await login("anna@example.com", "п ароль")).toBe("a.b.c");
    const [call] = calls;
    expect(call).toMatchObject({
      url: "/api/v1/login/access-token",
      request: { method: "POST", credentials: "include" },
    });
    expect(call?.request.body).toBeInstanceOf(URLSearchParams);
    const form = Object.fromEntries(call?.request.body as URLSearchParams);
    expect(form).toEqual({ username: "anna@example.com", password: "п ароль" });
    expect(sent().get("authorization")?.trim()).toBe("Bearer");
  });

  test("throws an error with the response's detail when it is rejected", async () => {
    answer = () => Response.json({ detail: "Неверный email или пароль" }, { status: 400 });
    await expect(login("anna@example.com", "x")).rejects.toMatchObject({
      status: 400,
      message: "Bad Request",
      detail: "Неверный email или пароль",
    });
  });
});

describe.each([
  ["a query", query],
  ["a mutation", mutation],
])("%s", (_, call) => {
  test.each([
    ["401", () => new Response('{"detail":"Not authenticated"}', { status: 401 })],
    ["403", () => new Response('{"detail":"Could not validate credentials"}', { status: 403 })],
    ["UNAUTHENTICATED", () => refusal("UNAUTHENTICATED")],
    ["FORBIDDEN", () => refusal("FORBIDDEN")],
  ])("answered with %s ends the session, once", async (_, refuse) => {
    storeToken("a.b.c");
    const left = vi.fn();
    const stop = onSessionEnd(left);
    answer = refuse;
    await expect(call()).rejects.toThrow();
    await expect(call()).rejects.toThrow();
    expect(localStorage.getItem("access_token")).toBeNull();
    expect(left).toHaveBeenCalledOnce();
    stop();
  });

  test.each(["NOT_FOUND", "CONFLICT", "BAD_USER_INPUT", "INTERNAL"])(
    "answered with %s leaves the session alone",
    async (code) => {
      storeToken("a.b.c");
      answer = () => refusal(code);
      await expect(call()).rejects.toThrow();
      expect(token()).toBe("a.b.c");
    },
  );
});

test("a late rejection of an earlier token does not end the next session", async () => {
  storeToken("a.b.c");
  answer = () => {
    // The user signs in while the request is on its way.
    storeToken("d.e.f");
    return new Response('{"detail":"Not authenticated"}', { status: 401 });
  };
  await expect(query()).rejects.toThrow();
  expect(token()).toBe("d.e.f");
});

test.each([
  [401, "/lesson?tab=2#part"],
  [403, "/"],
])("after a query rejected with %s signing in leads to %s", async (status, path) => {
  window.history.replaceState(null, "", "/lesson?tab=2#part");
  storeToken("a.b.c");
  answer = () => new Response("{}", { status });
  await expect(query()).rejects.toThrow();
  expect(takeReturnPath()).toBe(path);
});

function refusal(code: string) {
  return Response.json({ data: null, errors: [{ message: "no", extensions: { code } }] });
}

test("the client and the API it speaks are of version 0.1.0", () => {
  const read = (path: string) => JSON.parse(readFileSync(resolve(import.meta.dirname, path), "utf8"));
  expect(read("../../package.json").version).toBe("0.1.0");
  expect(read("../../../openapi.json").info.version).toBe("0.1.0");
});
