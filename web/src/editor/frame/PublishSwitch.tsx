import { useMutation } from "@apollo/client/react";
import { useTranslation } from "../../i18n/useTranslation";
import { toastFailure } from "../../ui/toasts";
import { PublishPageDocument } from "../EditPage.generated";
import styles from "./Frame.module.css";

interface Props {
  page: { id: string; published: boolean };
  /** Saves first, so that learners see the text that the author sees. */
  onBefore: () => void;
}

/** Publishes or hides the page. Updates at once, and reverts when the server refuses. */
export function PublishSwitch({ page, onBefore }: Props) {
  const { t } = useTranslation();
  const [publish, { loading }] = useMutation(PublishPageDocument, {
    onError: toastFailure,
    // Counts and neighbours of the whole course may have changed; screens that show them read them again.
    update: (cache) => cache.gc(),
  });
  const toggle = () => {
    if (loading) return;
    onBefore();
    const published = !page.published;
    const optimisticResponse = {
      updatePage: {
        __typename: "UpdatePagePayload",
        page: { __typename: "Page", id: page.id, published },
        lesson: null,
      },
    };
    void publish({ variables: { input: { pageId: page.id, published } }, optimisticResponse });
  };
  return (
    <button
      type="button"
      role="switch"
      aria-checked={page.published}
      className={styles.switch}
      onClick={toggle}
    >
      <span className={styles.track} aria-hidden="true" />
      {t(page.published ? "editor.published" : "editor.draft")}
    </button>
  );
}
