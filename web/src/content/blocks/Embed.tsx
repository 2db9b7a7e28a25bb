import { useState } from "react";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import { EMBED_PROVIDERS, embedAddresses } from "../addresses";
import { BrokenBlock } from "../BrokenBlock";
import { type ContentNode, choiceAttr, stringAttr } from "../model";
import { useRendering } from "../rendering";
import styles from "./Embed.module.css";

/** A video of another site. Nothing is requested from that site until the learner presses play. */
export function Embed({ node }: { node: ContentNode }) {
  const { t } = useRendering();
  const [playing, setPlaying] = useState(false);
  const provider = choiceAttr(node, "provider", EMBED_PROVIDERS);
  const addresses = provider && embedAddresses(provider, stringAttr(node, "id") ?? "");
  if (!addresses) return <BrokenBlock what="block" type="embed" />;
  const caption = stringAttr(node, "caption");
  const title = caption ?? t("content.embed.title", { provider: addresses.name });
  return (
    <figure className={styles.figure}>
      <div className={styles.frame}>
        {playing ? (
          <iframe
            src={addresses.player}
            title={title}
            allow="autoplay; fullscreen; picture-in-picture; encrypted-media"
            sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"
            referrerPolicy="strict-origin-when-cross-origin"
          />
        ) : (
          <button type="button" className={styles.play} onClick={() => setPlaying(true)}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M8 5.5v13l11-6.5z" />
            </svg>
            <span className={styles.playText}>{t("content.embed.play", { provider: addresses.name })}</span>
            <span className={styles.privacy}>{t("content.embed.privacy")}</span>
          </button>
        )}
      </div>
      <figcaption>
        {caption && <span>{caption} · </span>}
        <a href={addresses.page} target="_blank" rel="noopener noreferrer">
          {t("content.embed.open", { provider: addresses.name })}
          <VisuallyHidden> {t("content.opensInNewTab")}</VisuallyHidden>
        </a>
      </figcaption>
    </figure>
  );
}
