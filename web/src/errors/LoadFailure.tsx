import { useEffect, useEffectEvent } from "react";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { useOnline } from "../ui/useOnline";
import classes from "./errors.module.css";

interface Props {
  error: unknown;
  retry: () => void;
  /** The text for a 404. */
  notFound?: string;
  /** The heading level; `h1` when the failure replaces a whole screen and also sets its title. */
  heading?: "h1" | "h2" | "p";
}

/** Replaces data that could not be loaded: shows the reason and a retry button. Retries when the network is back. */
export function LoadFailure({ error, retry, notFound, heading: Heading = "h1" }: Props) {
  const { t } = useTranslation();
  const online = useOnline();
  const failure = ApiError.from(error);
  const tryAgain = useEffectEvent(retry);
  const unreachable = failure.isUnreachable;
  useEffect(() => {
    if (!unreachable) return;
    const onBack = () => tryAgain();
    window.addEventListener("online", onBack);
    return () => window.removeEventListener("online", onBack);
  }, [unreachable]);

  const [title, text] =
    failure.status === 404
      ? [t("errors.notFound"), notFound ?? failure.detail]
      : !unreachable
        ? [t("errors.regionTitle"), failure.detail ?? failure.message]
        : online
          ? [t("errors.unreachableTitle"), t("errors.unreachableText")]
          : [t("errors.offlineTitle"), t("errors.offlineText")];

  return (
    <div className={classes.region} role="alert">
      {Heading === "h1" && <title>{`${title} — Kurso`}</title>}
      <Heading className={classes.regionTitle}>{title}</Heading>
      <p className={classes.text}>{text}</p>
      {failure.status === 404 ? (
        Heading === "h1" && <ButtonLink to="/">{t("errors.backHome")}</ButtonLink>
      ) : (
        <Button variant="default" onClick={retry}>
          {t("common.retry")}
        </Button>
      )}
    </div>
  );
}
