import { useApolloClient, useQuery } from "@apollo/client/react";
import { useLocation } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { ApiError } from "../api/apiError";
import { mayHaveArrived } from "../api/mayHaveArrived";
import type { NoteColor } from "../api/schema.generated";
import { textIn } from "../comments/shownText";
import { isNode } from "../content/model";
import { blocksOf } from "../editor/compare/diffBlocks";
import { useTranslation } from "../i18n/useTranslation";
import { readAgain } from "../reading/readAgain";
import { MeDocument } from "../shell/Me.generated";
import { hiddenItems } from "../ui/hiddenItems";
import { IconButton } from "../ui/IconButton";
import { toastFailure } from "../ui/toasts";
import { useReadAgain } from "../unpublished/useReadAgain";
import { createNote, setBookmark } from "./actions";
import { selectedPart, wordsOfBlock } from "./blockText";
import { IconBookmark, IconBookmarked, IconNotes } from "./icons";
import { PageKeptDocument } from "./Notes.generated";
import { NotesPanel, type Opened, openNew } from "./NotesPanel";
import type { Note } from "./note";
import classes from "./PageKept.module.css";
import { type SelectedWords, SelectionBar } from "./SelectionBar";
import { Ticks } from "./Ticks";
import { rangesIn, useHighlights } from "./useHighlights";
import { useSameVersion } from "./useSameVersion";

interface Props {
  page: { id: string; version: number; content: unknown; course: { id: string } };
  content: RefObject<HTMLElement | null>;
}

/** What a reader keeps of a page: highlights and notes, the bookmark, and ticked tasks. */
export function PageKept({ page, content }: Props) {
  const { data, refetch, error } = useQuery(PageKeptDocument, {
    variables: { id: page.id },
    fetchPolicy: "cache-and-network",
    nextFetchPolicy: "cache-first",
  });
  const userId = useQuery(MeDocument).data?.me.id;
  // What was kept on another device shows when the reader comes back.
  useReadAgain(async () => {
    await refetch();
  });
  useSameVersion(page, data?.page ?? null, refetch);
  if (!content.current || userId === undefined) return null;
  return (
    <Shown
      page={page}
      holder={content.current}
      userId={userId}
      kept={data?.page ?? null}
      error={data ? undefined : error}
      retry={() => void refetch().catch(() => undefined)}
    />
  );
}

interface Kept {
  isBookmarked: boolean;
  tickedTasks: readonly number[];
  tickedVersion: number | null;
  notes: readonly Note[];
}

const NONE: readonly Note[] = [];

interface ShownProps {
  page: Props["page"];
  holder: HTMLElement;
  userId: string;
  /** Null until it is known. */
  kept: Kept | null;
  error: unknown;
  retry: () => void;
}

function Shown({ page, holder, userId, kept, error, retry }: ShownProps) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [opened, setOpened] = useState<Opened | null>(null);
  const hidden = useSelector(hiddenItems);
  const notes = useMemo(() => kept?.notes.filter(({ id }) => !hidden.has(id)) ?? NONE, [kept?.notes, hidden]);
  const blocks = useMemo(() => blocksOf(page.content).filter(isNode), [page.content]);
  const text = useMemo(() => textIn(holder, page.content), [holder, page.content]);
  const ranges = () => rangesIn(blocks, page.version, text.blockAt);
  useHighlights(holder, notes, page.version, ranges, (note) => setOpened({ note: note.id }));
  const wordsOf = (block: number, range: Range): SelectedWords | null => {
    const node = blocks[block];
    const element = text.blockAt(block);
    const words = node && element ? wordsOfBlock(node, element) : null;
    const part = words && selectedPart(words, range);
    return part && { block, start: part.start, quote: part.quote };
  };
  // Highlights that were sent without an answer.
  const uncertain = useRef(new Set<string>());
  const highlight = async (words: SelectedWords, color: NoteColor): Promise<boolean> => {
    const input = { pageId: page.id, color, body: "", version: page.version, ...words };
    const key = JSON.stringify(input);
    try {
      await createNote(client, input, uncertain.current.has(key));
      uncertain.current.delete(key);
      return true;
    } catch (error) {
      if (mayHaveArrived(error)) uncertain.current.add(key);
      toastFailure(error);
      // The page may have been changed. Then its text is shown as it is now.
      if (ApiError.from(error).status === 409) await readAgain(client, page.id).catch(() => {});
      return false;
    }
  };
  const blockOf = ({ place }: Note) =>
    place?.version === page.version ? text.blockAt(place.block) : undefined;
  const show = (note: Note) => {
    const range = ranges()(note);
    const element = range?.startContainer.parentElement ?? blockOf(note);
    for (let outer = element?.closest("details"); outer; outer = outer.parentElement?.closest("details"))
      outer.open = true;
    const top = (range ?? element)?.getBoundingClientRect().top;
    if (top !== undefined)
      window.scrollTo({ top: Math.max(0, top + window.scrollY - window.innerHeight / 3) });
  };
  const wanted = useLocation({ select: ({ search }) => search.note });
  const isKnown = kept !== null;
  const showWanted = useEffectEvent(() => {
    const note = notes.find(({ id }) => id === wanted);
    if (note) show(note);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  useEffect(() => {
    if (isKnown) showWanted();
  }, [isKnown, wanted]);
  const isBookmarked = kept?.isBookmarked ?? false;
  return (
    <>
      {kept && (kept.tickedVersion ?? page.version) === page.version && (
        <Ticks page={page} holder={holder} userId={userId} ticked={kept.tickedTasks} />
      )}
      <SelectionBar
        text={text}
        wordsOf={wordsOf}
        onHighlight={highlight}
        onNote={(words) => setOpened(openNew(userId, page.id, { ...words, version: page.version }))}
      />
      {createPortal(
        <div className={classes.tools}>
          <IconButton
            aria-label={t("notes.bookmark")}
            title={t(isBookmarked ? "notes.removeBookmark" : "notes.setBookmark")}
            aria-pressed={isBookmarked}
            disabled={!kept}
            onClick={() => void setBookmark(client, page.id, !isBookmarked)}
          >
            {isBookmarked ? <IconBookmarked /> : <IconBookmark />}
          </IconButton>
          <IconButton
            aria-label={t("notes.open", { count: notes.length })}
            title={t("notes.title")}
            aria-haspopup="dialog"
            onClick={() => setOpened({ note: null })}
          >
            <IconNotes />
            {notes.length > 0 && (
              <span className={classes.count} aria-hidden="true">
                {notes.length}
              </span>
            )}
          </IconButton>
        </div>,
        holder.closest("article") ?? holder,
      )}
      {opened && (
        <NotesPanel
          page={page}
          userId={userId}
          notes={kept ? notes : null}
          error={error}
          retry={retry}
          opened={opened}
          onOpen={setOpened}
          onShow={(note) => {
            setOpened(null);
            // The closing dialog gives the focus back first.
            requestAnimationFrame(() => show(note));
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
