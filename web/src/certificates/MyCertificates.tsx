import { useQuery } from "@apollo/client/react";
import { useEffect, useId, useRef, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { Tag } from "../ui/Rows";
import { Section } from "../ui/Section";
import { ListSkeleton } from "../ui/Skeletons";
import { useReadAgain } from "../unpublished/useReadAgain";
import { CertificateDetails } from "./CertificateDetails";
import { dayOf } from "./day";
import { IconCertificate } from "./IconCertificate";
import { type Certificate_OwnFragment, MyCertificatesDocument } from "./MyCertificate.generated";
import classes from "./MyCertificates.module.css";
import { MY_CERTIFICATES } from "./myCertificatesHash";

/** Certificates are read in portions of this size. */
const PORTION = 20;

/** The section of the user's settings with the certificates of all courses. `fullName` is the present name of the account. */
export function MyCertificates({ fullName }: { fullName: string | null }) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(PORTION);
  const { data, previousData, error, loading, refetch } = useQuery(MyCertificatesDocument, {
    variables: { first },
    fetchPolicy: "cache-and-network",
  });
  useReadAgain(refetch);
  const list = (data ?? previousData)?.myCertificates;
  const isKnown = list !== undefined;
  // The section is loaded after the router has looked for the place that the address names.
  useEffect(() => {
    if (isKnown && window.location.hash === `#${MY_CERTIFICATES}`) place.current?.scrollIntoView();
  }, [isKnown]);
  const again = () => void refetch().catch(() => undefined);
  return (
    <div id={MY_CERTIFICATES} ref={place} className={classes.place}>
      <Section title={t("learning.certificate.mine.heading")} text={t("learning.certificate.mine.text")}>
        {!list ? (
          <QueryState
            error={error}
            retry={again}
            heading="p"
            loading={<ListSkeleton rows={2} height="4.5rem" />}
          />
        ) : list.nodes.length === 0 ? (
          <EmptyState
            title={t("learning.certificate.mine.none")}
            heading="h3"
            icon={<IconCertificate size={28} />}
            action={
              <ButtonLink to="/" variant="default">
                {t("learning.certificate.mine.toCourses")}
              </ButtonLink>
            }
          >
            {t("learning.certificate.mine.noneText")}
          </EmptyState>
        ) : (
          <>
            <ul className={classes.list}>
              {list.nodes.map((certificate) => (
                <Item
                  key={certificate.id}
                  certificate={certificate}
                  fullName={fullName}
                  isOpen={list.nodes.length === 1}
                  onChanged={again}
                />
              ))}
            </ul>
            {list.nodes.length < list.totalCount && (
              <Button variant="default" loading={loading} onClick={() => setFirst(first + PORTION)}>
                {t("learning.certificate.mine.more")}
              </Button>
            )}
          </>
        )}
      </Section>
    </div>
  );
}

interface ItemProps {
  certificate: Certificate_OwnFragment;
  fullName: string | null;
  /** Whether it is open at first. */
  isOpen: boolean;
  onChanged: () => void;
}

function Item({ certificate, fullName, isOpen: isOpenFirst, onChanged }: ItemProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenFirst);
  const { state, name, courseTitle, awardedAt, timeZone } = certificate;
  const current = fullName?.trim() || null;
  const newName = state === "VALID" && current !== name ? current : null;
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h3 className={classes.title}>
            {courseTitle}
            {state !== "VALID" && (
              <Tag warn={state === "REVOKED"} quiet={state !== "REVOKED"}>
                {t(`learning.certificate.states.${state}`)}
              </Tag>
            )}
          </h3>
          <p className={classes.dim}>{`${dayOf(awardedAt, i18n.language, timeZone)} · ${name}`}</p>
        </div>
        <Button
          variant="default"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={t(`learning.certificate.mine.${isOpen ? "closeOf" : "openOf"}`, {
            course: courseTitle,
          })}
          onClick={() => setOpen(!isOpen)}
        >
          {t(`learning.certificate.mine.${isOpen ? "close" : "open"}`)}
        </Button>
      </div>
      {isOpen && (
        <div id={id}>
          <CertificateDetails certificate={certificate} newName={newName} onChanged={onChanged} />
        </div>
      )}
    </li>
  );
}
