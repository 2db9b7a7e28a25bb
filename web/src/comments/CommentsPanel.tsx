import { useSelector } from "@tanstack/react-store";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { conflictError } from "../api/apiError";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { ListSkeleton } from "../ui/Skeletons";
import { toastFailure } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import classes from "./CommentsPanel.module.css";
import { readDraft } from "./drafts";
import { NewThread } from "./NewThread";
import type { OpenComments, Place } from "./openComments";
import type { ShownText } from "./shownText";
import { type Reader, ThreadCard, threadId } from "./ThreadCard";
import { inOrder, mayComment, type Places } from "./threads";
import type { ThreadActions } from "./useThreadActions";
import type { LoadedThreads } from "./useThreads";

type View = "OPEN" | "RESOLVED";

interface Props {
  comments: OpenComments;
  pageId: string;
  reader: Reader;
  loaded: LoadedThreads;
  places: Places;
  actions: ThreadActions;
  /** The text on the screen; null until it is drawn. */
  text: ShownText | null;
  active: string | null;
  onActive: (id: string | null) => void;
  /** Scrolls to a block. */
  onPlace: (block: number) => void;
  /** The block of a place as it is stored, for those who propose changes instead of making them; null for others. */
  blockAt: (place: Place) => unknown;
  /** Gives the focus back to the text. */
  onClose: () => void;
}

/** The threads of a page in the order of their blocks, beside the text; on a narrow window, below it. */
export function CommentsPanel(props: Props) {
  const { comments, pageId, reader, loaded, places, actions, text, active, onActive, onPlace } = props;
  const { blockAt, onClose } = props;
  const { t } = useTranslation();
  const isOnline = useOnline();
  const { shown, started } = useSelector(comments.state);
  const [view, setView] = useState<View>("OPEN");
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { threads, error, load } = loaded;
  const mayWrite = mayComment(reader.role);
  // A new thread that was not sent is shown again with the panel.
  const [draft, setDraft] = useState(() =>
    mayWrite && !started ? readDraft(reader.userId, `new:${pageId}`) : null,
  );
  // The text may have changed since the place was chosen.
  const begun = started ?? draft;
  const beginning = begun && { place: relocated(begun.place ?? null, text) };

  const visible = (threads ?? []).filter((thread) =>
    thread.comments.some(({ id }) => !actions.hidden.has(id)),
  );
  const listed = inOrder(
    visible.filter(({ state }) => state === view),
    places,
  );
  const counts = {
    OPEN: visible.filter(({ state }) => state === "OPEN").length,
    RESOLVED: visible.filter(({ state }) => state === "RESOLVED").length,
  };

  const focusThread = (id: string) => {
    const card = panel.current?.querySelector<HTMLElement>(`#${CSS.escape(threadId(id))}`);
    card?.scrollIntoView({ block: "nearest" });
    card?.focus({ preventScroll: true });
    return card !== null && card !== undefined;
  };
  /** The request that was fulfilled last. */
  const fulfilled = useRef<object | null>(null);
  const showThread = useEffectEvent(() => {
    if (!shown || !threads || fulfilled.current === shown) return;
    // The URL may also name a comment of the thread.
    const thread = threads.find(
      ({ id, comments }) => id === shown.id || comments.some((comment) => comment.id === shown.id),
    );
    // A thread that was just started is listed a moment later.
    if (!thread && loaded.stored?.places.has(shown.id)) return;
    if (!thread) {
      fulfilled.current = shown;
      heading.current?.focus();
      return toastFailure(conflictError(t("comments.unknown")));
    }
    if (thread.state !== view) return setView(thread.state);
    if (!focusThread(thread.id)) return;
    fulfilled.current = shown;
    onActive(thread.id);
    const block = places.get(thread.id);
    if (typeof block === "number") onPlace(block);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the thread may be asked for before it is listed
  useEffect(() => showThread(), [shown, threads, view, places]);
  useEffect(() => {
    // Opened by the button: the list has the focus. Fields and threads take it themselves.
    if (!panel.current?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true });
  }, []);

  const end = () => {
    setDraft(null);
    comments.endStart();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  /** After a thread has left the list, the next one has the focus. */
  const leave = (index: number) => {
    const next = listed[index + 1] ?? listed[index - 1];
    if (!next || !focusThread(next.id)) heading.current?.focus();
  };
  return (
    <section ref={panel} className={classes.panel} aria-label={t("comments.title")} onKeyDown={onKeyDown}>
      <header className={classes.head}>
        <h2 ref={heading} tabIndex={-1} className={classes.title}>
          {t("comments.title")}
        </h2>
        {mayWrite && (
          <Button
            variant="subtle"
            size="compact"
            className={classes.add}
            onClick={() => comments.start(null)}
          >
            {t("comments.addToPage")}
          </Button>
        )}
        <IconButton aria-label={t("comments.close")} onClick={onClose}>
          <IconClose size={18} />
        </IconButton>
      </header>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields */}
      <div className={classes.views} role="group" aria-label={t("comments.filter")}>
        {(["OPEN", "RESOLVED"] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === view} onClick={() => setView(one)}>
            {t(`comments.views.${one}`, { count: counts[one] })}
          </button>
        ))}
      </div>
      {!isOnline && (
        <p className={classes.offline} role="status">
          {t("comments.offlineList")}
        </p>
      )}
      <div className={classes.body}>
        {beginning && mayWrite && (
          <NewThread
            key={started?.number ?? 0}
            pageId={pageId}
            reader={reader}
            place={beginning.place}
            original={beginning.place && blockAt(beginning.place)}
            onSend={async (stored, place, suggestion) => {
              const id = await actions.start(stored, place, suggestion);
              end();
              if (id) comments.show(id);
            }}
            onCancel={() => {
              end();
              heading.current?.focus();
            }}
          />
        )}
        {threads ? (
          listed.length > 0 ? (
            <ol className={classes.list}>
              {listed.map((thread, index) => (
                <ThreadCard
                  key={thread.id}
                  thread={thread}
                  reader={reader}
                  block={places.get(thread.id) ?? null}
                  isActive={thread.id === active}
                  actions={actions}
                  onPlace={() => {
                    onActive(thread.id);
                    const block = places.get(thread.id);
                    if (typeof block === "number") onPlace(block);
                  }}
                  onFocus={() => onActive(thread.id)}
                  onLeave={() => leave(index)}
                />
              ))}
            </ol>
          ) : (
            !beginning && (
              <EmptyState title={t(`comments.empty.${view}`)}>
                {view === "OPEN" && t(mayWrite ? "comments.emptyText" : "comments.emptyForReaders")}
              </EmptyState>
            )
          )
        ) : (
          <QueryState
            error={error}
            retry={() => void load()}
            heading="p"
            loading={<ListSkeleton rows={3} height="7rem" />}
          />
        )}
      </div>
    </section>
  );
}

/** The block that has the words of a kept draft now; null if none has them. */
function relocated(place: Place | null, text: ShownText | null): Place | null {
  if (!place || !text) return place;
  const words = bare(place.quote);
  const hasWords = (block: number) => bare(text.wordsOf(block)).includes(words);
  if (place.block < text.count() && hasWords(place.block)) return place;
  const block = Array.from({ length: text.count() }, (_, index) => index).find(hasWords);
  return block === undefined ? null : { ...place, block };
}

/** A text without its spaces, which depend on how it was selected. */
const bare = (text: string) => text.replace(/\s+/g, "");
