import { useApolloClient, useQuery, useSubscription } from "@apollo/client/react";
import { useCallback, useEffect } from "react";
import { onReconnect } from "../api/live";
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
