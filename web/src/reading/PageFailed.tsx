import { Button } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import { NotFoundScreen } from "../errors/NotFound";
import styles from "./PageFailed.module.css";

interface PageFailedProps {
  error: Error;
  onRetry: () => void;
}

/** A page that did not come: it is not there, the network is away, or the server failed. */
export function PageFailed({ error, onRetry }: PageFailedProps) {
  const { t } = useTranslation();
  const failure = ApiError.from(error);
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const again = () => retry();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, []);
  // An address that is no id at all is as unknown as one of a page that is gone.
  if (failure.status === 404 || failure.status === 422) return <NotFoundScreen />;
  return (
    <div role="alert" className={styles.failed}>
      <h1>{failure.isUnreachable ? t("reading.offline.title") : t("reading.failed.title")}</h1>
      <p>
        {failure.isUnreachable ? t("reading.offline.text") : (failure.detail ?? t("reading.failed.text"))}
      </p>
      <Button onClick={onRetry}>{t("common.retry")}</Button>
    </div>
  );
}
