import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { TextSkeleton } from "../ui/Skeletons";
import { useReadAgain } from "../unpublished/useReadAgain";
import { CertificatePreview } from "./CertificatePreview";
import classes from "./CertificateSettings.module.css";
import { CertificateDesignDocument } from "./Design.generated";
import { DesignForm } from "./DesignForm";
import { type Design, typedOf } from "./design";
import { SampleLink } from "./SampleLink";

/** The section of certificates in the settings of a course. The owner and editors change the design, the other staff see it. */
export function CertificateSettings({ course }: { course: Course }) {
  const { t } = useTranslation();
  const id = useId();
  const { data, error, refetch } = useQuery(CertificateDesignDocument, {
    variables: { courseId: course.id },
    fetchPolicy: "cache-and-network",
  });
  // Also because the address of the sample is valid for an hour.
  useReadAgain(refetch);
  const design = data?.certificateDesign;
  const mayChange = course.myRole === "OWNER" || course.myRole === "EDITOR";
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 className={classes.heading} id={id}>
          {t("courseSettings.certificates.heading")}
        </h2>
        <p className={classes.about}>{t("courseSettings.certificates.text")}</p>
        {course.myRole !== "REVIEWER" && (
          <p className={classes.about}>
            <Link
              to="/edit-course/$courseId"
              params={{ courseId: course.id }}
              search={{ tab: "students", view: "certificates" }}
            >
              {t("courseSettings.certificates.toIssued")}
            </Link>
          </p>
        )}
      </div>
      {!design ? (
        <QueryState
          error={error}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<TextSkeleton lines={14} />}
        />
      ) : mayChange ? (
        <DesignForm course={course} design={design} onChanged={() => void refetch().catch(() => undefined)} />
      ) : (
        <ShownDesign course={course} design={design} />
      )}
    </section>
  );
}

/** The design for those who may not change it. */
function ShownDesign({ course, design }: { course: Course; design: Design }) {
  const { t } = useTranslation();
  return (
    <div className={classes.columns}>
      <div className={classes.rules}>
        <p>{t(`courseSettings.certificates.${design.isOn ? "isOn" : "isOff"}`)}</p>
        {design.isOn && (
          <ul>
            <li>
              {design.basis === "GRADE"
                ? t("courseSettings.certificates.forGrade", { percent: design.minPercent })
                : t("courseSettings.certificates.forCompletion")}
            </li>
            <li>
              {design.validMonths === null
                ? t("courseSettings.certificates.endless")
                : t("courseSettings.certificates.validFor", { count: design.validMonths })}
            </li>
            <li>{t(`courseSettings.certificates.${design.hasGrade ? "withGrade" : "withoutGrade"}`)}</li>
          </ul>
        )}
        <p className={classes.about}>{t("courseSettings.certificates.readOnly")}</p>
      </div>
      <div className={classes.shown}>
        <CertificatePreview
          design={typedOf(design)}
          courseTitle={course.title}
          logoUrl={design.logoUrl}
          signatureUrl={design.signatureUrl}
        />
        <SampleLink design={design} />
      </div>
    </div>
  );
}
