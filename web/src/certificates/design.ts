import { countCharacters, isBlank } from "../forms/rules";
import {
  CERTIFICATE_DESIGN_UPDATE_HEADING_MAX,
  CERTIFICATE_DESIGN_UPDATE_TEXT_MAX,
  SIGNER_MAX,
  VALID_MONTHS_MAX,
} from "../limits.generated";
import type {
  CertificateDesign_DesignFragment,
  SetCertificateDesignMutationVariables,
} from "./Design.generated";

export type Design = CertificateDesign_DesignFragment;
type Input = SetCertificateDesignMutationVariables["input"];

/** What the form edits: numbers as they are typed. */
export interface Typed {
  isOn: boolean;
  basis: Design["basis"];
  minPercent: string;
  /** Empty: for ever. */
  validMonths: string;
  hasGrade: boolean;
  language: Design["language"];
  heading: string;
  text: string;
  accent: string;
  background: string;
  signer: string;
}

export const typedOf = (design: Design): Typed => ({
  isOn: design.isOn,
  basis: design.basis,
  minPercent: String(design.minPercent),
  validMonths: design.validMonths === null ? "" : String(design.validMonths),
  hasGrade: design.hasGrade,
  language: design.language,
  heading: design.heading,
  text: design.text,
  accent: design.accent,
  background: design.background,
  signer: design.signer,
});

/** What of the typed values the server must be told: only what differs, so that two people can change different things at once. */
export function changesOf(typed: Typed, stored: Typed): Omit<Input, "courseId"> {
  const changed = (Object.keys(stored) as (keyof Typed)[])
    .filter((name) => typed[name] !== stored[name])
    // Its field is only there, and only checked, for this basis.
    .filter((name) => name !== "minPercent" || typed.basis === "GRADE");
  return Object.fromEntries(
    changed.map((name) => {
      if (name === "minPercent") return [name, Number(typed.minPercent)];
      if (name === "validMonths")
        return [name, isBlank(typed.validMonths) ? null : Number(typed.validMonths)];
      const value = typed[name];
      return [name, typeof value === "string" ? value.trim() : value];
    }),
  );
}

/** What may stand in the text for values of the certificate. */
export const PLACEHOLDERS = ["name", "course", "date", "grade", "number"] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** A typed whole number within bounds. */
const isWhole = (typed: string, least: number, most: number) =>
  /^\d{1,9}$/.test(typed.trim()) && Number(typed) >= least && Number(typed) <= most;

export const percentProblem = (typed: string) =>
  isWhole(typed, 0, 100) ? null : ("courseSettings.certificates.percentPattern" as const);

export const monthsProblem = (typed: string) =>
  isBlank(typed) || isWhole(typed, 1, VALID_MONTHS_MAX)
    ? null
    : ("courseSettings.certificates.monthsPattern" as const);

export function headingProblem(heading: string) {
  if (isBlank(heading)) return "courseSettings.certificates.headingRequired" as const;
  const isLong = countCharacters(heading.trim()) > CERTIFICATE_DESIGN_UPDATE_HEADING_MAX;
  return isLong ? ("courseSettings.certificates.headingLong" as const) : null;
}

export const textProblem = (text: string) =>
  countCharacters(text.trim()) > CERTIFICATE_DESIGN_UPDATE_TEXT_MAX
    ? ("courseSettings.certificates.textLong" as const)
    : null;

export const signerProblem = (signer: string) =>
  countCharacters(signer.trim()) > SIGNER_MAX ? ("courseSettings.certificates.signerLong" as const) : null;

/** A placeholder put into a text in place of the selected characters, with spaces where it would touch a word. */
export function inserted(text: string, from: number, to: number, placeholder: Placeholder) {
  const before = text.slice(0, from);
  const after = text.slice(to);
  const start = /[\p{L}\p{N},.;:)}»”]$/u.test(before) ? " " : "";
  const end = /^[\p{L}\p{N}({«“]/u.test(after) ? " " : "";
  const put = `${before}${start}{${placeholder}}${end}`;
  return { text: put + after, caret: put.length };
}

/** Pairs of colours that go together. */
export const PRESETS = [
  { name: "green", accent: "#1c6a52", background: "#ffffff" },
  { name: "blue", accent: "#1f4e8c", background: "#ffffff" },
  { name: "wine", accent: "#7a1f3d", background: "#fffaf3" },
  { name: "violet", accent: "#5b3a8c", background: "#fbf9ff" },
  { name: "graphite", accent: "#30343b", background: "#f4f2ed" },
  { name: "gold", accent: "#e3c27a", background: "#14213d" },
] as const;
