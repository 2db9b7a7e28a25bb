/** A sample of a certificate: the texts of a design with values, as the server writes them (core/certificate/src/pdf/content.rs). */

export interface Values {
  name: string;
  course: string;
  date: string;
  /** Null if certificates have no grade. */
  grade: string | null;
  number: string;
}

/** A piece of the text; the title of the course is strong. */
export interface Piece {
  text: string;
  isStrong: boolean;
}

/** Stands for a value that the certificate does not have. */
const NOTHING = "—";

/** Without spaces around lines, and with at most one empty line in a row, none at the ends. */
function tidy(text: string): string {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => line.trim().replace(/ +/g, " "));
  return lines.filter((line, at) => line !== "" || lines[at - 1] !== "").join("\n");
}

/** Without the lines that mention the grade, unless no others are left. */
function withoutGrade(text: string): string {
  const lines = text.split("\n").filter((line) => !line.includes("{grade}"));
  return tidy(lines.join("\n")) || text;
}

/** The text of a design with the values in place of `{name}` and the others. What is no known name stays as it is. */
export function filled(template: string, values: Values): Piece[] {
  const tidied = tidy(template);
  const text = values.grade === null ? withoutGrade(tidied) : tidied;
  return text
    .split(/(\{(?:name|course|date|grade|number)\})/)
    .filter((piece) => piece !== "")
    .map((piece) => {
      const name = /^\{(\w+)\}$/.exec(piece)?.[1] as keyof Values | undefined;
      return name && name in values
        ? { text: values[name] ?? NOTHING, isStrong: name === "course" }
        : { text: piece, isStrong: false };
    });
}

/** Whoever signs: the name, and what follows the first comma or line break, which stands below. */
export function signerOf(signer: string): { name: string; post: string } {
  const at = signer.search(/[,\n]/);
  return at < 0
    ? { name: signer.trim(), post: "" }
    : { name: signer.slice(0, at).trim(), post: signer.slice(at + 1).trim() };
}

/** What a certificate says besides the texts of its design, in its language and not in that of the screen. */
export const WORDS = {
  RU: {
    tag: "ru",
    name: "Анна Сергеевна Иванова",
    date: "Дата выдачи",
    expires: "Действителен до",
    grade: "Оценка",
    number: "Номер",
    verify: "Проверить подлинность",
    value: "95\u00a0%",
  },
  EN: {
    tag: "en",
    name: "Anna Johnson",
    date: "Date of issue",
    expires: "Valid until",
    grade: "Grade",
    number: "Number",
    verify: "Verify",
    value: "95\u00a0%",
  },
} as const;

export const NUMBER = "00000000-0000-0000-0000-000000000000";

/** The same day of the month some months later, or the last day of a shorter month. */
export function monthsLater(from: Date, months: number): Date {
  const end = new Date(from);
  const day = end.getDate();
  end.setDate(1);
  end.setMonth(end.getMonth() + months);
  const last = new Date(end.getFullYear(), end.getMonth() + 1, 0).getDate();
  end.setDate(Math.min(day, last));
  return end;
}
