import { useTranslation } from "../i18n/useTranslation";
import { IconLink } from "../ui/laterIcons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./AnswerFiles.module.css";
import { isLink } from "./links";

/** The addresses of an answer. Each opens in a new tab, which learns nothing about this one. */
export function AnswerLinks({ links }: { links: readonly string[] }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
    <ul role="list" className={classes.files} aria-label={t("quiz.handIn.links")}>
      {links.map((link, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
        <li key={at}>
          {isLink(link) ? (
            <a className={classes.file} href={link} target="_blank" rel="noopener noreferrer nofollow">
              <span className={classes.about}>
                <IconLink size={18} className={classes.icon} />
                <span className={classes.name}>{link}</span>
                <VisuallyHidden>{t("quiz.links.outside")}</VisuallyHidden>
              </span>
            </a>
          ) : (
            // A draft may have any text here.
            <span className={classes.about}>
              <span className={classes.name}>{link}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
