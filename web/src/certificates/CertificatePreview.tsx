import { type CSSProperties, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./CertificatePreview.module.css";
import { dayOf } from "./day";
import type { Typed } from "./design";
import { monthsProblem } from "./design";
import { paletteOf } from "./palette";
import { SampleCode } from "./SampleCode";
import { filled, monthsLater, NUMBER, signerOf, WORDS } from "./sample";

interface Props {
  /** What is typed, saved or not. */
  design: Typed;
  courseTitle: string;
  logoUrl: string | null;
  signatureUrl: string | null;
}

/** A picture of a certificate in a design. It resembles the PDF, which the server draws. */
export function CertificatePreview({ design, courseTitle, logoUrl, signatureUrl }: Props) {
  const { t } = useTranslation();
  const [now] = useState(() => new Date());
  const words = WORDS[design.language];
  const palette = paletteOf(design);
  const day = (date: Date) => dayOf(date.toISOString(), words.tag);
  const months = monthsProblem(design.validMonths) === null ? Number(design.validMonths) : 0;
  const grade = design.hasGrade ? words.value : null;
  const values = { name: words.name, course: courseTitle, date: day(now), grade, number: NUMBER };
  const pieces = filled(design.text, values);
  const signer = signerOf(design.signer);
  const isSigned = signatureUrl !== null || signer.name !== "";
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  const facts = [
    [words.date, values.date],
    ...(months > 0 ? [[words.expires, day(monthsLater(now, months))]] : []),
    ...(grade === null ? [] : [[words.grade, grade]]),
    [words.number, NUMBER],
  ];
  const colours = {
    "--paper": palette.background,
    "--ink": palette.text,
    "--muted": palette.muted,
    "--mark": palette.accent,
    "--frame": palette.frame,
    "--rule": palette.rule,
  } as CSSProperties;
  return (
    <figure className={classes.figure} aria-label={t("courseSettings.certificates.preview")}>
      <div className={classes.page} style={colours} lang={words.tag}>
        <div className={classes.frame} />
        <div className={classes.inside}>
          <div className={classes.top}>
            {logoUrl ? (
              <img className={classes.logo} src={logoUrl} alt={t("courseSettings.certificates.logo")} />
            ) : (
              window.location.host
            )}
          </div>
          <div className={classes.middle}>
            <p className={classes.heading} data-size={sizeOf(design.heading.length, 24, 50)}>
              {design.heading}
            </p>
            {design.heading.trim() !== "" && <span className={classes.mark} />}
            <p className={classes.name}>{words.name}</p>
            {!design.text.includes("{course}") && (
              <p className={classes.course} data-size={sizeOf(courseTitle.length, 40, 90)}>
                {courseTitle}
              </p>
            )}
            {pieces.length > 0 && (
              <p className={classes.text} data-size={sizeOf(length, 240, 420)}>
                {pieces.map(({ text, isStrong }, at) =>
                  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no state and no other key
                  isStrong ? <strong key={at}>{text}</strong> : <span key={at}>{text}</span>,
                )}
              </p>
            )}
          </div>
          <div className={classes.bottom}>
            <dl className={classes.facts}>
              {facts.map(([label, value]) => (
                <div key={label} data-wide={label === words.number || undefined}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <div className={classes.signature}>
              {signatureUrl && <img src={signatureUrl} alt={t("courseSettings.certificates.signature")} />}
              {isSigned && (
                <div className={classes.signer}>
                  {signer.name}
                  {signer.post !== "" && <small>{signer.post}</small>}
                </div>
              )}
            </div>
            <div className={classes.check}>
              <span>
                {words.verify}
                <br />
                {`${window.location.host}/c/…`}
              </span>
              <SampleCode />
            </div>
          </div>
        </div>
      </div>
      <figcaption className={classes.caption}>{t("courseSettings.certificates.previewHint")}</figcaption>
    </figure>
  );
}

/** Long texts are smaller. */
const sizeOf = (length: number, small: number, smaller: number) =>
  length > smaller ? "smaller" : length > small ? "small" : undefined;
