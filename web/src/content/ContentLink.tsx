import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { readHref } from "./addresses";
import styles from "./Document.module.css";
import { useRendering } from "./rendering";

interface ContentLinkProps {
  href: unknown;
  children: ReactNode;
}

/** A link in the text. With an address outside of the content model only its text is shown. */
export function ContentLink({ href, children }: ContentLinkProps) {
  const { t } = useRendering();
  const target = readHref(href);
  switch (target?.kind) {
    case "page":
      return (
        <Link
          to="/view-page/$pageId"
          params={{ pageId: target.pageId }}
          hash={target.anchor ?? undefined}
          className={styles.link}
        >
          {children}
        </Link>
      );
    case "anchor":
      return (
        <a href={`#${encodeURIComponent(target.anchor)}`} className={styles.link}>
          {children}
        </a>
      );
    case "mail":
      return (
        <a href={target.href} className={styles.link}>
          {children}
        </a>
      );
    case "file":
    case "web":
      return (
        <a
          href={target.href}
          target="_blank"
          rel="noopener noreferrer"
          className={`${styles.link} ${styles.external}`}
        >
          {children}
          {/* A word joiner keeps the arrow on the line of the last word. */}
          {"\u2060"}
          <svg viewBox="0 0 12 12" className={styles.leaves} aria-hidden="true">
            <path d="M2 10 10 2M4 2h6v6" />
          </svg>
          <VisuallyHidden> {t("content.opensInNewTab")}</VisuallyHidden>
        </a>
      );
    default:
      return children;
  }
}
