import { useApolloClient, useQuery } from "@apollo/client/react";
import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useEffectEvent, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import type { NoteColor } from "../api/schema.generated";
import { textIn } from "../comments/shownText";
import { isNode } from "../content/model";
import { blocksOf } from "../editor/compare/diffBlocks";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { IconButton } from "../ui/IconButton";
import { toastFailure } from "../ui/toasts";
import { useReadAgain } from "../unpublished/useReadAgain";
import { createNote, setBookmark } from "./actions";
import { selectedPart, wordsOfBlock } from "./blockText";
import { IconBookmark, IconBookmarked, IconNotes } from "./icons";
import { PageKeptDocument } from "./Notes.generated";
import { NotesPanel } from "./NotesPanel";
import type { NewPlace, Note } from "./note";
import classes from "./PageKept.module.css";
import { type SelectedWords, SelectionBar } from "./SelectionBar";
import { Ticks } from "./Ticks";
import { rangesIn, useHighlights } from "./useHighlights";

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

export interface Kept {
  isBookmarked: boolean;
  tickedTasks: readonly number[];
  notes: readonly Note[];
}

/** What is open in the panel: the list, one of its notes, or a new note. */
export type Opened = { note: string | null } | { place: NewPlace | null };

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
  const notes = kept?.notes ?? NONE;
  const blocks = useMemo(() => blocksOf(page.content).filter(isNode), [page.content]);
  const text = useMemo(() => textIn(holder, page.content), [holder, page.content]);
  const ranges = () => rangesIn(blocks, text.blockAt);
  useHighlights(holder, notes, ranges, (note) => setOpened({ note: note.id }));
  const wordsOf = (block: number, range: Range): SelectedWords | null => {
    const node = blocks[block];
    const element = text.blockAt(block);
    const words = node && element ? wordsOfBlock(node, element) : null;
    const part = words && selectedPart(words, range);
    return part && { block, start: part.start, quote: part.quote };
  };
  const highlight = (words: SelectedWords, color: NoteColor) => {
    createNote(client, { pageId: page.id, color, body: "", version: page.version, ...words }).catch(
      toastFailure,
    );
  };
  const show = (note: Note) => {
    const range = ranges()(note);
    const element = range?.startContainer.parentElement ?? (note.place && text.blockAt(note.place.block));
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
      {kept && <Ticks page={page} holder={holder} ticked={kept.tickedTasks} />}
      <SelectionBar
        text={text}
        wordsOf={wordsOf}
        onHighlight={highlight}
        onNote={(words) => setOpened({ place: { ...words, version: page.version } })}
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
