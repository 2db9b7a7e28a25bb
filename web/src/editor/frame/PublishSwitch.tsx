import { useMutation } from "@apollo/client/react";
import { useTranslation } from "react-i18next";
import { toastFailure } from "../../ui/toasts";
import { PublishPageDocument } from "../EditPage.generated";
import styles from "./Frame.module.css";

interface Props {
  page: { id: string; published: boolean };
  /** What is unsaved goes first: what learners get to see is what the author sees. */
  onBefore: () => void;
}

/** Whether learners see the page. Switched at once, and back when the server refuses. */
export function PublishSwitch({ page, onBefore }: Props) {
  const { t } = useTranslation();
  const [publish, { loading }] = useMutation(PublishPageDocument, {
    onError: toastFailure,
    // Counts and neighbours of the whole course may differ now; they are read anew where they are shown.
    update: (cache) => cache.gc(),
  });
  const toggle = () => {
    if (loading) return;
    onBefore();
    const published = !page.published;
    void publish({
      variables: { input: { pageId: page.id, published } },
      optimisticResponse: {
        updatePage: {
          __typename: "UpdatePagePayload",
          page: { __typename: "Page", id: page.id, published },
          lesson: null,
        },
      } as never,
    });
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
