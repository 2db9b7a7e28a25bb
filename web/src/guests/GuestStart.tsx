import { useEffect, useEffectEvent, useRef } from "react";
import forms from "../auth/forms.module.css";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { TextSkeleton } from "../ui/Skeletons";
import type { Door } from "./door";
import { useStartAsGuest } from "./useStartAsGuest";

/** Starts a course for a visitor who has chosen on its page to go without an account. */
export function GuestStart({ door, onSignIn }: { door: Door; onSignIn: () => void }) {
  const { t } = useTranslation();
  const { start, loading, refusal } = useStartAsGuest(door);
  const began = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const begin = useEffectEvent(() => void start());
  useEffect(() => {
    if (began.current) return;
    began.current = true;
    begin();
  }, []);
  const hasFailed = refusal !== null;
  useEffect(() => {
    if (hasFailed) heading.current?.focus();
  }, [hasFailed]);
  const title = t(refusal === null ? "join.opening" : "join.guest.failed");
  return (
    <div className={forms.form}>
      <title>{`${title} — Kurso`}</title>
      <h1 className={forms.title} ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {refusal === null ? (
        <div role="status" aria-label={t("join.opening")}>
          <TextSkeleton lines={4} />
        </div>
      ) : (
        <>
          <p className={forms.text} role="alert">
            {refusal}
          </p>
          <div className={forms.buttons}>
            <Button size="md" loading={loading} onClick={() => void start()}>
              {t("common.retry")}
            </Button>
            <Button size="md" variant="default" onClick={onSignIn}>
              {t("join.guest.signIn")}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
