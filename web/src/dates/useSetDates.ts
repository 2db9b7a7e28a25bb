import { useApolloClient } from "@apollo/client/react";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { labelOf, type Override, partIdOf, targetOf } from "../overrides/overrides";
import type { Part } from "./parts";
import { partTitle } from "./partTitle";
import { type Refusal, refusalsOf, refusalTexts } from "./refusals";
import { type Dated, type Edit, setDates } from "./setDates";
import type { Undo } from "./useUndo";

/** So many refusals fit into a toast. */
const IN_TOAST = 3;

/** Changes many dates of a course at once. */
export function useSetDates(
  courseId: string,
  parts: readonly Part[],
  overrides: readonly Override[],
  zone: string,
  undo: Undo,
) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const titleOf = ({ kind, id }: Dated): string => {
    const override = kind === "override" ? overrides.find((one) => one.id === id) : undefined;
    const partId = override ? partIdOf(override, courseId) : id;
    const part = parts.find((one) => one.id === partId);
    const title = part ? partTitle(part, t) : "";
    return override ? `${title} · ${labelOf(targetOf(override), t, true)}` : title;
  };
  const refusals = (error: unknown, edits: readonly Edit[]): Refusal[] =>
    refusalsOf(error, edits, zone, i18n.language, t);
  const explain = (error: unknown, edits: readonly Edit[]): string[] =>
    refusalTexts(refusals(error, edits), titleOf, t);
  const putBack = async (edits: readonly Edit[]) => {
    try {
      await setDates(client, courseId, edits, zone);
    } catch (error) {
      const why = explain(error, edits).slice(0, IN_TOAST).join(" ");
      if (why === "") throw error;
      const { url, status, statusText } = ApiError.from(error);
      const body = { detail: t("dates.table.undoRefused", { why }) };
      throw new ApiError({ url, status, statusText, body }, { cause: error });
    }
  };
  return {
    /** Makes all edits, or none, and offers to take them back; with `days`, what they name moves. Rejects with the server's refusal. */
    apply: async (edits: readonly Edit[], text: string, days?: number) => {
      const setting = setDates(client, courseId, edits, zone, days).then((back) =>
        undo.offer(() => putBack(back), text),
      );
      undo.follow(setting);
      await setting;
    },
    refusals,
    /** Returns a sentence for each part that the server has refused. */
    explain,
  };
}

export type SetDates = ReturnType<typeof useSetDates>;
