import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import classes from "./CourseInvitation.module.css";
import { formatShareCode, shareCodeProblem } from "./shareCode";
import { useEnroll } from "./useEnroll";

/** Offers to enroll in the course whose link was opened, with one button. */
export function CourseInvitation({ code }: { code: string }) {
  const { t } = useTranslation();
  const { enroll, loading, refusal } = useEnroll();
  const problem = shareCodeProblem(code);
  const reason = refusal ?? (problem && t(`home.enroll.${problem}`));
  return (
    <section className={classes.card} aria-labelledby="course-invitation">
      <div>
        <h2 className={classes.title} id="course-invitation">
          {t("join.invitation.title")}
        </h2>
        <p className={reason ? classes.refused : classes.text} role={reason ? "alert" : undefined}>
          {reason ?? t("join.invitation.text", { code: formatShareCode(code) })}
        </p>
      </div>
      {reason ? (
        <ButtonLink to="/">{t("join.invitation.other")}</ButtonLink>
      ) : (
        <Button variant="filled" loading={loading} onClick={() => enroll(code)}>
          {t("home.enroll.submit")}
        </Button>
      )}
    </section>
  );
}
