import { useMutation, useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import { isGuest } from "../api/session";
import { shownDecimal } from "../gradebook/grades";
import { AccountLink } from "../guests/AccountLink";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { failureText, toastSuccess } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { useReadAgain } from "../unpublished/useReadAgain";
import { CertificateDetails } from "./CertificateDetails";
import { IconCertificate } from "./IconCertificate";
import {
  IssueCertificateDocument,
  MyCertificateDocument,
  type MyCertificateQuery,
} from "./MyCertificate.generated";
import classes from "./MyCertificate.module.css";

type Claim = MyCertificateQuery["myCertificate"];

/** The learner's certificate on the course screen: what is missing for it, the button that issues it, or the certificate. */
export function MyCertificate({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(MyCertificateDocument, {
    variables: { courseId },
    fetchPolicy: "cache-and-network",
  });
  useReadAgain(refetch);
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  /** Whether the certificate was issued here: the button that did it is gone, so the heading takes the focus. */
  const [isNew, setNew] = useState(false);
  const claim = data?.myCertificate;
  const certificate = claim?.certificate;
  useEffect(() => {
    if (isNew && certificate) heading.current?.focus();
  }, [isNew, certificate]);
  if (!claim)
    return error ? (
      <p className={classes.line}>
        <IconCertificate size={18} />
        <span>
          {t("learning.certificate.unknown")}{" "}
          <button
            type="button"
            className={classes.again}
            onClick={() => void refetch().catch(() => undefined)}
          >
            {t("common.retry")}
          </button>
        </span>
      </p>
    ) : null;
  if (claim.state === "NONE") return null;
  if (claim.state === "NOT_YET")
    return (
      <p className={classes.line}>
        <IconCertificate size={18} />
        <Missing claim={claim} />
      </p>
    );
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 className={classes.heading} id={id} ref={heading} tabIndex={-1}>
        <IconCertificate size={24} />
        {t(`learning.certificate.heading.${claim.state}`)}
      </h2>
      {certificate ? (
        <CertificateDetails
          certificate={certificate}
          newName={claim.canReissue ? claim.name : null}
          onChanged={() => void refetch().catch(() => undefined)}
        />
      ) : isGuest() ? (
        <p className={classes.words}>
          {t("learning.certificate.guest")}{" "}
          <AccountLink to="/signup">{t("learning.certificate.guestSignUp")}</AccountLink>
          {t("learning.certificate.guestKept")}
        </p>
      ) : (
        <Issuing
          claim={claim}
          onIssued={async () => {
            await refetch().catch(() => undefined);
            setNew(true);
          }}
        />
      )}
    </section>
  );
}

/** What is missing for the certificate, in a sentence. */
function Missing({ claim }: { claim: Claim }) {
  const { t, i18n } = useTranslation();
  if (claim.basis === "COMPLETION")
    return (
      <span>
        {t("learning.certificate.forCompletion")}{" "}
        {claim.pagesLeft > 0 && t("learning.certificate.pagesLeft", { count: claim.pagesLeft })}
      </span>
    );
  return (
    <span>
      {t("learning.certificate.forGrade", { percent: claim.minPercent ?? 0 })}{" "}
      {claim.percent !== null &&
        t("learning.certificate.percentNow", { percent: shownDecimal(claim.percent, i18n.language) })}{" "}
      {claim.resultsLeft > 0 && t("learning.certificate.resultsLeft", { count: claim.resultsLeft })}
    </span>
  );
}

interface IssuingProps {
  claim: Claim;
  onIssued: () => Promise<void>;
}

/** Shows the name that the certificate will have, and issues it. */
function Issuing({ claim, onIssued }: IssuingProps) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [issue] = useMutation(IssueCertificateDocument);
  const start = async () => {
    setRefusal(null);
    setBusy(true);
    try {
      await issue({ variables: { input: { courseId: claim.courseId } } });
      await onIssued();
      toastSuccess(t("learning.certificate.issued"));
    } catch (failure) {
      setRefusal(failureText(failure));
    }
    setBusy(false);
  };
  const settings = (
    <Link to="/settings">
      {t(claim.name === null ? "learning.certificate.giveName" : "learning.certificate.changeName")}
    </Link>
  );
  if (claim.name === null)
    return (
      <p className={classes.words}>
        {t("learning.certificate.needsName")} {settings}
      </p>
    );
  return (
    <>
      <p className={classes.words}>
        {t("learning.certificate.willHave")} <strong className={classes.name}>{claim.name}</strong>
      </p>
      <p className={classes.dim}>
        {t("learning.certificate.nameHint")} {settings}
      </p>
      <div>
        <Button size="md" loading={isBusy} disabled={!isOnline} onClick={() => void start()}>
          {t("learning.certificate.get")}
        </Button>
        <div role="alert">
          {(refusal || !isOnline) && (
            <p className={refusal ? classes.refusal : classes.offline}>
              {isOnline ? refusal : t("learning.certificate.offline")}
            </p>
          )}
        </div>
      </div>
    </>
  );
}
