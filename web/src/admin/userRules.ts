import type { FieldErrors, Resolver } from "react-hook-form";
import { type Problem, problems } from "../auth/rules";
import { nameProblem } from "../forms/rules";

export interface UserForm {
  email: string;
  fullName: string;
  /** Empty for an existing account: its password stays. */
  newPassword: string;
  confirmPassword: string;
  isActive: boolean;
  isSuperuser: boolean;
}

type Checked = "email" | "fullName" | "newPassword" | "confirmPassword";

/** Returns the first problem of a field. A new account requires a password; an existing one can keep its own. */
export function userProblem(field: Checked, form: UserForm, isNew: boolean): Problem | "nameTooLong" | null {
  if (field === "fullName") return nameProblem(form.fullName) && "nameTooLong";
  const keeps = !isNew && form.newPassword === "" && form.confirmPassword === "";
  if (keeps && field !== "email") return null;
  const { email, newPassword, confirmPassword } = form;
  return problems(field, { email, newPassword, confirmPassword })[0] ?? null;
}

export function userResolver(
  isNew: boolean,
  say: (problem: Problem | "nameTooLong") => string,
): Resolver<UserForm> {
  return (values) => {
    const errors: FieldErrors<UserForm> = {};
    for (const field of ["email", "fullName", "newPassword", "confirmPassword"] as const) {
      const problem = userProblem(field, values, isNew);
      if (problem) errors[field] = { type: problem, message: say(problem) };
    }
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
  };
}
