import type { FieldErrors, Resolver } from "react-hook-form";
import { isBlank as blank, countCharacters as count, isEmail } from "../forms/rules";
import type { ru } from "../i18n/ru";
import { PASSWORD_MAX, PASSWORD_MIN } from "../limits.generated";

export type Field =
  | "surname"
  | "firstName"
  | "patronymic"
  | "email"
  | "password"
  | "currentPassword"
  | "newPassword"
  | "confirmPassword";
export type Problem = keyof typeof ru.auth.errors;
type Form = Partial<Record<Field, string>>;
type Rule = [problem: Problem, isBroken: (value: string, form: Form) => boolean];

const empty = (value: string) => value === "";
const tooShort: Rule = ["passwordLength", (value) => !empty(value) && count(value) < PASSWORD_MIN];

/** An empty field reports only that it is required; the other rules apply to typed text. */
const RULES: Record<Field, Rule[]> = {
  surname: [["surnameRequired", blank]],
  firstName: [["firstNameRequired", blank]],
  patronymic: [["patronymicRequired", blank]],
  email: [
    ["emailRequired", blank],
    ["emailPattern", (value) => !blank(value) && !isEmail(value)],
  ],
  password: [["passwordRequired", empty], tooShort],
  currentPassword: [["passwordRequired", empty]],
  newPassword: [
    ["passwordRequired", empty],
    tooShort,
    ["passwordTooLong", (value) => count(value) > PASSWORD_MAX],
    ["passwordSame", (value, form) => !empty(value) && value === form.currentPassword],
  ],
  confirmPassword: [
    ["confirmRequired", empty],
    ["confirmMismatch", (value, form) => value !== (form.newPassword ?? form.password ?? "")],
  ],
};

/** Returns all problems of a field in display order. */
export function problems(field: Field, form: Form): Problem[] {
  const value = form[field] ?? "";
  return RULES[field].filter(([, isBroken]) => isBroken(value, form)).map(([problem]) => problem);
}

/** Sign-in only requires a password and does not check its length. */
export function loginProblems(field: "email" | "password", form: Form): Problem[] {
  return problems(field, form).filter((problem) => problem !== "passwordLength");
}

/** A react-hook-form resolver for these rules; the problems of a field are the keys of its error's `types`. */
export function resolver<T extends Field>(
  fields: readonly T[],
  check: (field: T, form: Form) => Problem[],
): Resolver<Record<T, string>> {
  return (values) => {
    const errors: Record<string, unknown> = {};
    for (const field of fields) {
      const found = check(field, values);
      if (found.length > 0) {
        errors[field] = {
          type: found[0],
          types: Object.fromEntries(found.map((problem) => [problem, true])),
        };
      }
    }
    const isValid = Object.keys(errors).length === 0;
    return isValid
      ? { values, errors: {} }
      : { values: {}, errors: errors as FieldErrors<Record<T, string>> };
  };
}

/** Joins surname, first name and patronymic into the full name. */
export function fullName(surname: string, firstName: string, patronymic: string): string {
  return [surname, firstName, patronymic]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ");
}
