import { Link, useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { login } from "../api/rest";
import { takeReturnPath } from "../api/returnPath";
import { GUEST_KEY, isGuest, signedIn, storeToken } from "../api/session";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { dismissToast, failureText, toastFailure, toastStore } from "../ui/toasts";
import { AuthField } from "./AuthField";
import classes from "./forms.module.css";
import { GuestPart } from "./GuestPart";
import { keepFocus } from "./keepFocus";
import { Refusal } from "./Refusal";
import { loginProblems, resolver } from "./rules";
import { Submit } from "./Submit";
import { useLead } from "./useLead";

const FIELDS = ["email", "password"] as const;

// A user who opens /login directly does not expect to return to a path kept from an earlier redirect.
const opened = performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined;
if (opened && opened.type !== "reload" && new URL(opened.name).pathname === "/login") takeReturnPath();

/** The sign-in screen at /login. */
export function LoginForm() {
  const { t } = useTranslation();
  const router = useRouter();
  const { client } = router.options.context;
  const lead = useLead("login");
  // The server has deleted the guest who used this browser.
  const [hasLostGuest] = useState(() => !signedIn() && localStorage.getItem(GUEST_KEY) !== null);
  useEffect(() => {
    if (hasLostGuest) localStorage.removeItem(GUEST_KEY);
  }, [hasLostGuest]);
  const email = useLocation({ select: ({ state }) => state.email ?? "" });
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { email, password: "" },
    mode: "onTouched",
    criteriaMode: "all",
    resolver: resolver(FIELDS, loginProblems),
  });
  const submit = handleSubmit(async ({ email, password }) => {
    try {
      const accessToken = await login(email.trim(), password);
      const wasGuest = isGuest();
      storeToken(accessToken);
      // What was said to a visitor, or to the session before, says nothing to this one.
      for (const { id } of toastStore.get()) dismissToast(id);
      if (wasGuest) {
        const merging = withTexts(import("../guests/merge"), "join");
        // Without its code the merge is tried again at the next start.
        await merging
          .then(({ mergeAfterSignIn }) => mergeAfterSignIn(client))
          .catch(() => client.clearStore());
      }
      router.history.push(takeReturnPath());
    } catch (error) {
      toastFailure(error);
      setError("root", { message: failureText(error) });
    }
  });
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <title>{`${t("auth.login.title")} — Kurso`}</title>
      <h1 className={classes.title}>{t("auth.login.title")}</h1>
      <p className={classes.lead}>{hasLostGuest ? t("auth.guestLost") : lead}</p>
      <AuthField
        field="email"
        type="email"
        autoComplete="username"
        registered={register("email")}
        error={formState.errors.email}
      />
      <AuthField
        field="password"
        type="password"
        autoComplete="current-password"
        registered={register("password")}
        error={formState.errors.password}
      />
      <Refusal error={formState.errors.root} />
      <Submit busy={formState.isSubmitting}>{t("auth.login.submit")}</Submit>
      <p className={classes.others}>
        <Link to="/signup" className={classes.other} onMouseDown={keepFocus}>
          {t("auth.login.toSignup")}
        </Link>
        <Link to="/recover-password" className={classes.other} onMouseDown={keepFocus}>
          {t("auth.login.forgot")}
        </Link>
      </p>
      <GuestPart />
    </form>
  );
}
