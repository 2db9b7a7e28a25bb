import { expect, test } from "vitest";
import { type UserForm, userProblem } from "./userRules";

const form = (more: Partial<UserForm> = {}): UserForm => ({
  email: "anna@example.com",
  fullName: "",
  newPassword: "",
  confirmPassword: "",
  isActive: true,
  isSuperuser: false,
  ...more,
});

test("a new account requires a password, an existing one can keep its own", () => {
  expect(userProblem("newPassword", form(), true)).toBe("passwordRequired");
  expect(userProblem("confirmPassword", form(), true)).toBe("confirmRequired");
  expect(userProblem("newPassword", form(), false)).toBeNull();
  expect(userProblem("confirmPassword", form(), false)).toBeNull();
});

test("checks a given password and its confirmation", () => {
  const short = form({ newPassword: "1234567" });
  expect(userProblem("newPassword", short, false)).toBe("passwordLength");
  expect(userProblem("confirmPassword", short, false)).toBe("confirmRequired");
  const other = form({ newPassword: "12345678", confirmPassword: "12345679" });
  expect(userProblem("newPassword", other, false)).toBeNull();
  expect(userProblem("confirmPassword", other, false)).toBe("confirmMismatch");
  expect(userProblem("newPassword", form({ confirmPassword: "12345678" }), false)).toBe("passwordRequired");
});

test("always checks the email and the name", () => {
  expect(userProblem("email", form({ email: "anna@" }), false)).toBe("emailPattern");
  expect(userProblem("fullName", form({ fullName: "я".repeat(255) }), false)).toBeNull();
  expect(userProblem("fullName", form({ fullName: "я".repeat(256) }), false)).toBe("nameTooLong");
});
