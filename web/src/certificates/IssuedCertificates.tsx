import { useMutation, useQuery } from "@apollo/client/react";
import { lazy, Suspense, useState } from "react";
import { mayModerate } from "../discussions/roles";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button, ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { PageButtons } from "../ui/PageButtons";
import { PER_PAGE, pagesOf } from "../ui/pageNumber";
import { Row, Rows, Tag } from "../ui/Rows";
import { SearchField } from "../ui/SearchField";
import { ListSkeleton } from "../ui/Skeletons";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { useReadAgain } from "../unpublished/useReadAgain";
import { dayOf, lastDayOf } from "./day";
import { IconCertificate } from "./IconCertificate";
import {
  CourseCertificatesDocument,
  type IssuedCertificate_RowFragment,
  RestoreCertificateDocument,
} from "./IssuedCertificates.generated";
import classes from "./IssuedCertificates.module.css";

const RevokeDialog = lazy(() =>
  import("./RevokeDialog").then((module) => ({ default: module.RevokeDialog })),
);

interface Props {
  course: Course;
  search: string;
  onSearch: (search: string) => void;
}

/** The certificates of a course, for its staff; the owner and teachers revoke them. */
export default function IssuedCertificates({ course, search, onSearch }: Props) {
  const { t } = useTranslation();
  /** The page of the list, and the search that it belongs to. */
  const [at, setAt] = useState({ page: 1, search });
  const page = at.search === search ? at.page : 1;
  const { data, previousData, error, loading, refetch } = useQuery(CourseCertificatesDocument, {
    variables: { courseId: course.id, search, first: PER_PAGE, skip: (page - 1) * PER_PAGE },
    fetchPolicy: "cache-and-network",
    notifyOnNetworkStatusChange: true,
  });
  useReadAgain(refetch);
  const [revoked, setRevoked] = useState<IssuedCertificate_RowFragment | null>(null);
  const list = (data ?? previousData)?.courseCertificates;
  const pages = pagesOf(list?.totalCount ?? 0);
  const again = () => void refetch().catch(() => undefined);
  const isEmpty = list?.totalCount === 0;
  return (
    <div className={classes.issued}>
      {(!isEmpty || search !== "") && (
        <div className={classes.tools}>
          <SearchField
            className={classes.search}
            label={t("courseSettings.certificates.issued.search")}
            value={search}
            onSearch={onSearch}
          />
          <p className={classes.count} role="status">
            {list && t("courseSettings.certificates.issued.count", { count: list.totalCount })}
          </p>
        </div>
      )}
      {!list || (error && !data) ? (
        <QueryState
          error={loading ? null : error}
          retry={again}
          heading="h2"
          loading={<ListSkeleton rows={6} height="4.5rem" />}
        />
      ) : isEmpty && search === "" ? (
        <EmptyState
          title={t("courseSettings.certificates.issued.none")}
          heading="h2"
          icon={<IconCertificate size={28} />}
          action={
            <ButtonLink
              to="/edit-course/$courseId"
              params={{ courseId: course.id }}
              search={{ tab: "settings" }}
              variant="default"
            >
              {t("courseSettings.certificates.issued.toSettings")}
            </ButtonLink>
          }
        >
          {t("courseSettings.certificates.issued.noneText")}
        </EmptyState>
      ) : isEmpty ? (
        <p className={classes.nothing}>{t("courseSettings.certificates.issued.nothing")}</p>
      ) : (
        <Rows label={t("courseSettings.certificates.issued.label")} busy={data === undefined}>
          {list.nodes.map((issued) => (
            <IssuedRow
              key={issued.certificate.id}
              issued={issued}
              // A superuser answers for what the server issues.
              mayRevoke={mayModerate(course.myRole) || course.myRole === "ADMIN"}
              onRevoke={() => setRevoked(issued)}
              onRestored={again}
            />
          ))}
        </Rows>
      )}
      <PageButtons
        label={t("courseSettings.certificates.issued.pages")}
        page={page}
        pages={pages}
        onPage={(page) => setAt({ page, search })}
        className={classes.pages}
      />
      {revoked && (
        <Suspense fallback={null}>
          <RevokeDialog issued={revoked} onRevoked={again} onClose={() => setRevoked(null)} />
        </Suspense>
      )}
    </div>
  );
}

interface RowProps {
  issued: IssuedCertificate_RowFragment;
  mayRevoke: boolean;
  onRevoke: () => void;
  onRestored: () => void;
}

function IssuedRow({ issued, mayRevoke, onRevoke, onRestored }: RowProps) {
  const { t, i18n } = useTranslation();
  const { certificate, holder, revokedBy } = issued;
  const { id, name, state, awardedAt, expiresAt, timeZone, revokedAt, revokeReason, pageUrl } = certificate;
  const day = (iso: string) => dayOf(iso, i18n.language, timeZone);
  const [restore, { loading }] = useMutation(RestoreCertificateDocument);
  const takeBack = async () => {
    try {
      await restore({ variables: { input: { certificateId: id } } });
      toastSuccess(t("courseSettings.certificates.issued.restored", { name }));
      onRestored();
    } catch (failure) {
      toastFailure(failure);
    }
  };
  const isRenamed = holder.fullName !== null && holder.fullName !== name;
  return (
    <Row
      name={name}
      tags={
        state !== "VALID" && (
          <Tag warn={state === "REVOKED"} quiet={state !== "REVOKED"}>
            {t(`learning.certificate.states.${state}`)}
          </Tag>
        )
      }
      facts={
        <>
          {isRenamed && (
            <span>{t("courseSettings.certificates.issued.now", { name: holder.fullName ?? "" })}</span>
          )}
          {/* The team does not see the address of those who have left the course. */}
          {holder.email && <span>{holder.email}</span>}
          <span>{t("courseSettings.certificates.issued.awarded", { day: day(awardedAt) })}</span>
          {expiresAt && (state === "VALID" || state === "EXPIRED") && (
            <span>
              {t(`courseSettings.certificates.issued.${state === "EXPIRED" ? "expired" : "until"}`, {
                day: lastDayOf(expiresAt, i18n.language, timeZone),
              })}
            </span>
          )}
          <span className={classes.number}>
            {t("courseSettings.certificates.issued.number", { number: id })}
          </span>
          {revokedAt && (
            <span className={classes.reason}>
              {t(`courseSettings.certificates.issued.${revokedBy?.fullName ? "revokedBy" : "revokedAt"}`, {
                day: day(revokedAt),
                who: revokedBy?.fullName ?? "",
                reason: revokeReason ?? "",
              })}
            </span>
          )}
        </>
      }
      tools={
        <>
          <a
            className={classes.link}
            href={pageUrl}
            target="_blank"
            rel="noopener"
            aria-label={t("courseSettings.certificates.issued.pageOf", { name })}
          >
            {t("courseSettings.certificates.issued.page")}
          </a>
          {mayRevoke && state === "REVOKED" && (
            <Button
              variant="default"
              loading={loading}
              aria-label={t("courseSettings.certificates.issued.restoreOf", { name })}
              onClick={() => void takeBack()}
            >
              {t("courseSettings.certificates.issued.restore")}
            </Button>
          )}
          {mayRevoke && (state === "VALID" || state === "EXPIRED") && (
            <Button
              variant="default"
              aria-label={t("courseSettings.certificates.issued.revokeOf", { name })}
              onClick={onRevoke}
            >
              {t("courseSettings.certificates.issued.revoke")}
            </Button>
          )}
        </>
      }
    />
  );
}
