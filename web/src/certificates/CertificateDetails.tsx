import { useApolloClient, useMutation } from "@apollo/client/react";
import { useId, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { IconCheck, IconCopy } from "../ui/icons";
import { IconDownload, IconGlobe } from "../ui/laterIcons";
import { saveFile } from "../ui/saveFile";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { useCopy } from "../ui/useCopy";
import classes from "./CertificateDetails.module.css";
import { CertificateFacts } from "./CertificateFacts";
import {
  type Certificate_OwnFragment,
  CertificateBadgeDocument,
  ReissueCertificateDocument,
} from "./MyCertificate.generated";
import { Privacy } from "./Privacy";

interface Props {
  certificate: Certificate_OwnFragment;
  /** The name of the account if it differs from that of the certificate and the certificate can be reissued. */
  newName: string | null;
  /** Called after it was reissued. */
  onChanged: () => void;
}

/** A certificate of the user: what it says, its files, its page, and what the page shows. */
export function CertificateDetails({ certificate, newName, onChanged }: Props) {
  const { state } = certificate;
  const hasDocuments = state === "VALID" || state === "EXPIRED";
  return (
    <div className={classes.details}>
      <Notice certificate={certificate} />
      {newName !== null && <Reissue certificate={certificate} newName={newName} onChanged={onChanged} />}
      <CertificateFacts certificate={certificate} />
      <Files certificate={certificate} hasDocuments={hasDocuments} />
      {/* The page of a revoked certificate still has the name. */}
      {state !== "REPLACED" && <Privacy certificate={certificate} />}
    </div>
  );
}

/** Why the certificate is not valid. */
function Notice({ certificate: { state, revokeReason } }: Pick<Props, "certificate">) {
  const { t } = useTranslation();
  if (state === "VALID") return null;
  return (
    <div className={classes.notice} data-bad={state === "REVOKED" || undefined}>
      <p>{t(`learning.certificate.about.${state}`)}</p>
      {state === "REVOKED" && revokeReason && (
        <p className={classes.reason}>{t("learning.certificate.reason", { reason: revokeReason })}</p>
      )}
    </div>
  );
}

function Files({ certificate, hasDocuments }: Pick<Props, "certificate"> & { hasDocuments: boolean }) {
  const { t } = useTranslation();
  const hintId = useId();
  const client = useApolloClient();
  const { copied, copy } = useCopy(window.location.origin + certificate.pageUrl);
  const [isFetching, setFetching] = useState(false);
  const saveBadge = async () => {
    setFetching(true);
    try {
      const { data } = await client.query({
        query: CertificateBadgeDocument,
        variables: { id: certificate.id },
        fetchPolicy: "no-cache",
      });
      const jwt = data?.certificateBadge.jwt;
      if (jwt) saveFile(`open-badge-${certificate.id.slice(-8)}.jwt`, "application/vc+jwt", jwt);
    } catch (error) {
      toastFailure(error);
    }
    setFetching(false);
  };
  return (
    <div className={classes.files}>
      <div className={classes.actions}>
        {hasDocuments && certificate.pdfUrl && (
          <a className={classes.action} href={certificate.pdfUrl} download>
            <IconDownload size={18} />
            {t("learning.certificate.pdf")}
          </a>
        )}
        {/* The server renders the page outside of the app. */}
        <a className={classes.action} href={certificate.pageUrl} target="_blank" rel="noopener">
          <IconGlobe size={18} />
          {t("learning.certificate.page")}
        </a>
        <Button
          variant="default"
          icon={copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
          onClick={copy}
        >
          <span aria-live="polite">{t(copied ? "common.copied" : "learning.certificate.copy")}</span>
        </Button>
        {hasDocuments && (
          <Button
            variant="default"
            icon={<IconDownload size={18} />}
            loading={isFetching}
            aria-describedby={hintId}
            onClick={() => void saveBadge()}
          >
            {t("learning.certificate.badge")}
          </Button>
        )}
      </div>
      {hasDocuments && (
        <p className={classes.hint} id={hintId}>
          {t(`learning.certificate.badgeHas.${inBadgeOf(certificate)}`)}
        </p>
      )}
    </div>
  );
}

/** What personal data the badge has. The grade alone, without a name, says nothing about a person. */
function inBadgeOf({ isNameShown, isGradeShown, grade }: Certificate_OwnFragment) {
  if (!isNameShown) return "NOTHING";
  return isGradeShown && grade !== null ? "NAME_AND_GRADE" : "NAME";
}

/** Offers a certificate in the new name of the account. */
function Reissue({ certificate, newName, onChanged }: Props) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [reissue] = useMutation(ReissueCertificateDocument);
  return (
    <div className={classes.notice}>
      <p>{t("learning.certificate.renamed", { old: certificate.name, name: newName })}</p>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t("learning.certificate.reissue")}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t("learning.certificate.reissueTitle")}
        confirm={t("learning.certificate.reissueConfirm")}
        onConfirm={async () => {
          await reissue({ variables: { input: { certificateId: certificate.id } } });
          toastSuccess(t("learning.certificate.reissued"));
          onChanged();
        }}
      >
        <p>{t("learning.certificate.reissueText", { name: newName })}</p>
      </ConfirmDialog>
    </div>
  );
}
