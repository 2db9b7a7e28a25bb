import { describe, expect, test } from "vitest";
import { fullName, loginProblems, problems, resolver } from "./rules";

describe("the rules of signing up", () => {
  test.each([
    ["surname", "surnameRequired"],
    ["firstName", "firstNameRequired"],
    ["patronymic", "patronymicRequired"],
    ["email", "emailRequired"],
    ["password", "passwordRequired"],
  ] as const)("%s is required, and nothing else is said of an empty one", (field, problem) => {
    expect(problems(field, {})).toEqual([problem]);
    expect(problems(field, { [field]: "" })).toEqual([problem]);
  });

  test("a name of spaces is no name, a password of spaces is a password", () => {
    expect(problems("surname", { surname: "  " })).toEqual(["surnameRequired"]);
    expect(problems("password", { password: "        " })).toEqual([]);
  });

  test.each([
    "anna",
    "anna@",
    "anna@example",
    "@example.com",
    "an na@example.com",
    "anna@example..com",
    "anna@.com",
  ])("%s is no address", (email) => expect(problems("email", { email })).toEqual(["emailPattern"]));

  test.each([
    "anna@example.com",
    "a@b.c",
    "anna+course@mail.example.co.uk",
    " anna@example.com ",
    "анна@почта.рф",
  ])("%s is an address", (email) => expect(problems("email", { email })).toEqual([]));

  test("a password has at least eight characters, as people count them", () => {
    expect(problems("password", { password: "1234567" })).toEqual(["passwordLength"]);
    expect(problems("password", { password: "12345678" })).toEqual([]);
    expect(problems("password", { password: "👍👍👍👍" })).toEqual(["passwordLength"]);
  });

  test("the confirmation says everything that is wrong with it", () => {
    expect(problems("confirmPassword", { password: "12345678", confirmPassword: "" })).toEqual([
      "confirmRequired",
      "confirmMismatch",
    ]);
    expect(problems("confirmPassword", { password: "12345678", confirmPassword: "1234567" })).toEqual([
      "confirmMismatch",
    ]);
    expect(problems("confirmPassword", { password: "12345678", confirmPassword: "12345678" })).toEqual([]);
  });
});

describe("the rules of a new password", () => {
  test("the old one is asked for and not judged", () => {
    expect(problems("currentPassword", {})).toEqual(["passwordRequired"]);
    expect(problems("currentPassword", { currentPassword: "short" })).toEqual([]);
  });

  test("the new one has 8 to 128 characters and is another one", () => {
    expect(problems("newPassword", { newPassword: "" })).toEqual(["passwordRequired"]);
    expect(problems("newPassword", { newPassword: "1234567" })).toEqual(["passwordLength"]);
    expect(problems("newPassword", { newPassword: "я".repeat(128) })).toEqual([]);
    expect(problems("newPassword", { newPassword: "я".repeat(129) })).toEqual(["passwordTooLong"]);
    const same = { currentPassword: "12345678", newPassword: "12345678" };
    expect(problems("newPassword", same)).toEqual(["passwordSame"]);
    expect(problems("newPassword", { currentPassword: "", newPassword: "" })).toEqual(["passwordRequired"]);
  });

  test("the confirmation is compared with the new one", () => {
    const form = { currentPassword: "old-password", newPassword: "12345678" };
    expect(problems("confirmPassword", { ...form, confirmPassword: "old-password" })).toEqual([
      "confirmMismatch",
    ]);
    expect(problems("confirmPassword", { ...form, confirmPassword: "12345678" })).toEqual([]);
  });
});

test("signing in does not judge the length of a password", () => {
  expect(loginProblems("password", { password: "short" })).toEqual([]);
  expect(loginProblems("password", { password: "" })).toEqual(["passwordRequired"]);
  expect(loginProblems("email", { email: "anna" })).toEqual(["emailPattern"]);
});

test("the form gets every problem of every field", () => {
  const check = resolver(["password", "confirmPassword"], problems);
  const options = { fields: {}, shouldUseNativeValidation: false };
  expect(check({ password: "123", confirmPassword: "" }, undefined, options)).toEqual({
    values: {},
    errors: {
      password: { type: "passwordLength", types: { passwordLength: true } },
      confirmPassword: { type: "confirmRequired", types: { confirmRequired: true, confirmMismatch: true } },
    },
  });
  const right = { password: "12345678", confirmPassword: "12345678" };
  expect(check(right, undefined, options)).toEqual({ values: right, errors: {} });
});

test("the full name is its parts, trimmed, with one space between", () => {
  expect(fullName(" Иванова ", "Анна", "Петровна ")).toBe("Иванова Анна Петровна");
  expect(fullName("Иванова", "  ", "Петровна")).toBe("Иванова Петровна");
  expect(fullName("", "", "")).toBe("");
});
