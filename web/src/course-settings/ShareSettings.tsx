import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Section } from "../ui/Section";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { CopyField } from "./CopyField";
import { NewShareCodeDocument } from "./CourseSettings.generated";
import { QrCode } from "./QrCode";
import classes from "./ShareSettings.module.css";
import { shareLink } from "./shareLink";

/** The section with the share code, its enrollment link and the link's QR code. */
export function ShareSettings({ course }: { course: Course }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [generate, { loading }] = useMutation(NewShareCodeDocument, {
    variables: { input: { courseId: course.id } },
  });
  const owner = course.myRole === "OWNER";
  const code = course.shareCode;
  const make = async () => {
    await generate();
    toastSuccess(t(code ? "courseSettings.share.changed" : "courseSettings.share.made"));
  };
  return (
    <Section title={t("courseSettings.share.heading")} text={t("courseSettings.share.text")}>
      {code ? (
        <div className={classes.share}>
          <div className={classes.fields}>
            <CopyField label={t("courseSettings.share.code")} value={code} large />
            <CopyField
              label={t("courseSettings.share.link")}
              value={shareLink(window.location.origin, code)}
            />
            {owner && (
              <Button variant="default" className={classes.renew} onClick={() => setAsking(true)}>
                {t("courseSettings.share.renew")}
              </Button>
            )}
          </div>
          <QrCode text={shareLink(window.location.origin, code)} label={t("courseSettings.share.qr")} />
        </div>
      ) : owner ? (
        <Button loading={loading} onClick={() => void make().catch(toastFailure)}>
          {t("courseSettings.share.make")}
        </Button>
      ) : (
        <p className={classes.none}>{t("courseSettings.share.none")}</p>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("courseSettings.share.renewTitle")}
        confirm={t("courseSettings.share.renew")}
        danger
        onConfirm={make}
      >
        <p>{t("courseSettings.share.renewText", { code })}</p>
      </ConfirmDialog>
    </Section>
  );
}
