import { useApolloClient, useQuery, useSubscription } from "@apollo/client/react";
import { useCallback, useEffect } from "react";
import { onReconnect } from "../api/live";
import { useTranslation } from "../i18n/useTranslation";
import { showToast } from "../ui/toasts";
import { useBurst } from "../ui/useBurst";
import { GradebookChangedDocument } from "./Gradebook.generated";
import { GradeSettingsDocument } from "./GradeSettings.generated";
import type { GradeSettings } from "./settings";

/** The settings of a gradebook, read again after each change of them. */
export function useGradeSettings(courseId: string) {
  const { data, error, refetch } = useQuery(GradeSettingsDocument, {
    variables: { courseId },
    fetchPolicy: "no-cache",
  });
  const reload = useCallback(() => void refetch().catch(() => undefined), [refetch]);
  const reloadSoon = useBurst(reload, 500, 2000);
  useSubscription(GradebookChangedDocument, { variables: { courseId }, onData: reloadSoon });
  useEffect(() => onReconnect(reloadSoon), [reloadSoon]);
  return { settings: data?.gradeSettings as GradeSettings | undefined, error, reload };
}

/** Returns a function that reads the settings as they are stored now. */
export function useStoredSettings(courseId: string) {
  const client = useApolloClient();
  return async (): Promise<GradeSettings> => {
    const { data } = await client.query({
      query: GradeSettingsDocument,
      variables: { courseId },
      fetchPolicy: "no-cache",
      context: { queryDeduplication: false },
    });
    if (!data) throw new Error("the settings of the gradebook are missing");
    return data.gradeSettings;
  };
}

interface Undo {
  /** Whether the settings are still as the change has left them. */
  isCurrent: (stored: GradeSettings) => boolean;
  undo: (stored: GradeSettings) => Promise<unknown>;
}

/** Returns a function that undoes a change. If somebody else has changed the same settings since, it changes nothing and says so. */
export function useSettingsUndo(courseId: string, reload: () => void) {
  const { t } = useTranslation();
  const read = useStoredSettings(courseId);
  return async ({ isCurrent, undo }: Undo) => {
    const stored = await read();
    if (isCurrent(stored)) await undo(stored);
    else
      showToast({
        kind: "failure",
        title: t("errors.toastFailure"),
        text: t("students.grades.settings.undoRefused"),
      });
    reload();
  };
}
