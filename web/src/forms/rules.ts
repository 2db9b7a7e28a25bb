import {
  COURSE_CREATE_DESCRIPTION_MAX,
  FULL_NAME_MAX,
  ITEM_CREATE_DESCRIPTION_MAX,
  TITLE_MAX,
} from "../limits.generated";

/** The rules of typed values. Each returns its problem as a key of the texts, or null. They ignore spaces around a value, as the server does. */

const EMAIL = /^[^\s@,;:<>()[\]"\\]+@[^\s@.,;:<>()[\]"\\]+(\.[^\s@.,;:<>()[\]"\\]+)+$/;

/** Counts code points like the server, not UTF-16 units. */
export const countCharacters = (text: string): number => [...text].length;

const isLonger = (text: string, most: number) => countCharacters(text.trim()) > most;

export const isBlank = (text: string): boolean => text.trim() === "";

/** Whether the text, without the spaces around it, is an email address. */
export const isEmail = (text: string): boolean => EMAIL.test(text.trim());

export function titleProblem(title: string) {
  return isBlank(title) ? "forms.titleRequired" : optionalTitleProblem(title);
}

export function optionalTitleProblem(title: string) {
  return isLonger(title, TITLE_MAX) ? "forms.titleTooLong" : null;
}

/** The description of a course or a module. */
export function descriptionProblem(description: string) {
  return isLonger(description, COURSE_CREATE_DESCRIPTION_MAX) ? "forms.descriptionTooLong" : null;
}

export function itemDescriptionProblem(description: string) {
  return isLonger(description, ITEM_CREATE_DESCRIPTION_MAX) ? "forms.itemDescriptionTooLong" : null;
}

export function nameProblem(name: string) {
  return isLonger(name, FULL_NAME_MAX) ? "forms.nameTooLong" : null;
}

export function emailProblem(email: string) {
  if (isBlank(email)) return "forms.emailRequired";
  return isEmail(email) ? null : "forms.emailPattern";
}
