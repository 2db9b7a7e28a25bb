import { describe, expect, test } from "vitest";
import { fullName, loginProblems, problems, resolver } from "./rules";

describe("the sign-up rules", () => {
  test.each([
    ["surname", "surnameRequired"],
    ["firstName", "firstNameRequired"],
    ["patronymic", "patronymicRequired"],
    ["email", "emailRequired"],
    ["password", "passwordRequired"],
  ] as const)("%s is required, and an empty value shows no other error", (field, problem) => {
    expect(problems(field, {})).toEqual([problem]);
    expect(problems(field, { [field]: "" })).toEqual([problem]);
  });

  test("reject a blank name and accept a password of spaces", () => {
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

  test("count code points for the minimum length of a password", () => {
    expect(problems("password", { password: "1234567" })).toEqual(["passwordLength"]);
    expect(problems("password", { password: "12345678" })).toEqual([]);
    expect(problems("password", { password: "👍👍👍👍" })).toEqual(["passwordLength"]);
  });

  test("report every problem of the confirmation", () => {
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

describe("the password change rules", () => {
  test("require the current password and do not check its length", () => {
    expect(problems("currentPassword", {})).toEqual(["passwordRequired"]);
    expect(problems("currentPassword", { currentPassword: "short" })).toEqual([]);
  });

  test("require 8 to 128 characters and a different password", () => {
    expect(problems("newPassword", { newPassword: "" })).toEqual(["passwordRequired"]);
    expect(problems("newPassword", { newPassword: "1234567" })).toEqual(["passwordLength"]);
    expect(problems("newPassword", { newPassword: "я".repeat(128) })).toEqual([]);
    expect(problems("newPassword", { newPassword: "я".repeat(129) })).toEqual(["passwordTooLong"]);
    const same = { currentPassword: "12345678", newPassword: "12345678" };
    expect(problems("newPassword", same)).toEqual(["passwordSame"]);
    expect(problems("newPassword", { currentPassword: "", newPassword: "" })).toEqual(["passwordRequired"]);
  });

  test("compare the confirmation with the new password", () => {
    const form = { currentPassword: "old-password", newPassword: "12345678" };
    expect(problems("confirmPassword", { ...form, confirmPassword: "old-password" })).toEqual([
      "confirmMismatch",
    ]);
    expect(problems("confirmPassword", { ...form, confirmPassword: "12345678" })).toEqual([]);
  });
});

test("signing in does not check the length of a password", () => {
  expect(loginProblems("password", { password: "short" })).toEqual([]);
  expect(loginProblems("password", { password: "" })).toEqual(["passwordRequired"]);
  expect(loginProblems("email", { email: "anna" })).toEqual(["emailPattern"]);
});

test("the form receives every problem of every field", () => {
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

test("the full name joins its trimmed parts with one space", () => {
  expect(fullName(" Иванова ", "Анна", "Петровна ")).toBe("Иванова Анна Петровна");
  expect(fullName("Иванова", "  ", "Петровна")).toBe("Иванова Петровна");
  expect(fullName("", "", "")).toBe("");
});
