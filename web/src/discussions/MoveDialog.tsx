import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Dialog } from "../ui/Dialog";
import { SearchField } from "../ui/SearchField";
import { ListSkeleton } from "../ui/Skeletons";
import { toastFailure } from "../ui/toasts";
import { DiscussionPagesDocument } from "./Discussions.generated";
import classes from "./MoveDialog.module.css";

interface Props {
  courseId: string;
  /** The page that it is under now. */
  pageId: string;
  onMove: (page: { id: string; title: string }) => Promise<unknown>;
  onClose: () => void;
}

/** The most pages that are listed; the search finds the others. */
const SHOWN = 60;

/** Chooses the page to which a question is moved. */
export function MoveDialog({ courseId, pageId, onMove, onClose }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(DiscussionPagesDocument, { variables: { courseId } });
  const [words, setWords] = useState("");
  const [moving, setMoving] = useState<string | null>(null);
  const typed = words.trim().toLowerCase();
  const pages = (data?.course.modules ?? []).flatMap(({ lessons }) =>
    lessons.flatMap((lesson) =>
      lesson.pages.map((page) => ({ id: page.id, title: pageTitle(page, t), lesson: lesson.title })),
    ),
  );
  const found = pages.filter(
    ({ id, title, lesson }) => id !== pageId && `${title} ${lesson}`.toLowerCase().includes(typed),
  );
  const move = async (page: { id: string; title: string }) => {
    if (moving !== null) return;
    setMoving(page.id);
    try {
      await onMove(page);
      onClose();
    } catch (failure) {
      toastFailure(failure);
      setMoving(null);
    }
  };
  return (
    <Dialog open onClose={onClose} title={t("discussions.move.title")}>
      {data ? (
        <>
          <SearchField
            label={t("discussions.move.search")}
            value={words}
            onSearch={setWords}
            data-autofocus
          />
          <ul className={classes.pages}>
            {found.slice(0, SHOWN).map((page) => (
              <li key={page.id}>
                <button
                  type="button"
                  className={classes.page}
                  disabled={moving !== null}
                  onClick={() => void move(page)}
                >
                  <span>{page.title}</span>
                  <span className={classes.lesson}>{page.lesson}</span>
                </button>
              </li>
            ))}
          </ul>
          {found.length === 0 && <p className={classes.none}>{t("discussions.move.none")}</p>}
          {found.length > SHOWN && <p className={classes.none}>{t("discussions.move.more")}</p>}
        </>
      ) : (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="p"
          loading={<ListSkeleton rows={6} height="3rem" />}
        />
      )}
    </Dialog>
  );
}
