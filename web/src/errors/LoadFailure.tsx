import { Button } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import { ButtonLink } from "../ui/links";
import { useOnline } from "../ui/useOnline";
import classes from "./errors.module.css";

interface Props {
  error: unknown;
  retry: () => void;
  /** What a 404 means here. */
  notFound?: string;
  /** `h1` where the failure stands in for a whole screen: its heading and its title are the screen's. */
  heading?: "h1" | "h2" | "p";
}

/** In place of data that could not be loaded: why, and the way on. Tries again by itself when the network is back. */
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
