import { useApolloClient } from "@apollo/client/react";
import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApiError } from "../api/apiError";
import { zoneOf } from "../dates/typed";
import { useLeaveQuestion } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { failureText } from "../ui/toasts";
import { offerUndo } from "../ui/undo";
import {
  AnnouncementsDocument,
  CreateAnnouncementDocument,
  UpdateAnnouncementDocument,
} from "./Announcements.generated";
import { readAgain } from "./actions";
import { type Draft, type DraftKey, dropDraft, keepDraft, readDraft } from "./drafts";
import { type Announcement, type Course, isScheduled } from "./list";
import { createInput, draftOf, isSameDraft, problemsOf, sameDocument, updateInput } from "./writing";

export type Field = "title" | "content" | "groupId" | "at";
/** The server's names of the fields. */
const FIELDS: Record<string, Field> = {
  title: "title",
  content: "content",
  groupId: "groupId",
  publishAt: "at",
};

interface Options {
  course: Course;
  userId: string;
  /** The announcement to change; undefined for a new one. */
  announcement: Announcement | undefined;
  element: RefObject<HTMLElement | null>;
  onDone: (announcement: Announcement) => void;
}

/** The form of an announcement: what is typed stays on this device until it is stored on the server. */
export function useWriting({ course, userId, announcement, element, onDone }: Options) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const zone = zoneOf(course.timeZone);
  const key: DraftKey = announcement ? `edit:${announcement.id}` : `new:${course.id}`;
  // The announcement may change while the form is open; it is compared with what was read.
  const [stored, setStored] = useState(announcement);
  const [kept] = useState(() => readDraft(userId, key));
  const [draft, setDraft] = useState<Draft>(() => kept ?? draftOf(announcement, zone, i18n.language));
  const [version, setVersion] = useState(kept?.version ?? announcement?.version ?? null);
  const [isRestored, setRestored] = useState(kept !== null);
  const [isKept, setKept] = useState(true);
  /** Incremented when the editor must start over with another text. */
  const [revision, setRevision] = useState(0);
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<Announcement | null>(null);
  const [isSending, setSending] = useState(false);
  // A request without an answer may have been carried out.
  const isUncertain = useRef(false);

  const base = draftOf(stored, zone, i18n.language);
  const isChanged = !isSameDraft(draft, base);

  const put = (next: Draft, nextVersion: number | null) => {
    setDraft(next);
    if (isSameDraft(next, draftOf(stored, zone, i18n.language))) {
      dropDraft(userId, key);
      setKept(true);
    } else setKept(keepDraft(userId, key, { ...next, version: nextVersion }));
  };
  const change = (changes: Partial<Draft>) => {
    setErrors((before) => {
      const after = { ...before };
      for (const field of Object.keys(changes)) delete after[field === "isLater" ? "at" : (field as Field)];
      return after;
    });
    setFailure(null);
    put({ ...draft, ...changes }, version);
  };
  const startOver = (next: Draft, nextVersion: number | null) => {
    put(next, nextVersion);
    setVersion(nextVersion);
    setErrors({});
    setFailure(null);
    setRevision((before) => before + 1);
  };
  /** Replaces the draft by the stored announcement; can be undone. */
  const revert = () => {
    const [before, versionBefore] = [draft, version];
    startOver(base, stored?.version ?? null);
    setRestored(false);
    offerUndo(t(`learning.announcements.draft.${announcement ? "reverted" : "discarded"}`), () =>
      startOver(before, versionBefore),
    );
  };

  useLeaveQuestion({
    element,
    isUnsaved: isChanged && !isKept,
    discard: () => flushSync(() => setKept(true)),
  });

  const send = async (expected: number | null, from: Announcement | undefined) => {
    const now = new Date();
    if (from && expected !== null) {
      const input = updateInput(from, expected, draft, zone, now);
      const { data } = await client.mutate({ mutation: UpdateAnnouncementDocument, variables: { input } });
      return data?.updateAnnouncement.announcement;
    }
    const earlier = isUncertain.current ? await findCreated() : undefined;
    if (earlier) return earlier;
    const input = createInput(course.id, draft, zone, now);
    const { data } = await client.mutate({ mutation: CreateAnnouncementDocument, variables: { input } });
    return data?.createAnnouncement.announcement;
  };
  /** Finds the announcement if the request whose response was lost has created it. */
  const findCreated = async () => {
    const { data } = await client.query({
      query: AnnouncementsDocument,
      variables: { courseId: course.id, after: null },
      fetchPolicy: "network-only",
    });
    return data?.course.announcements.items.find(
      ({ author, title, content }) =>
        author?.id === userId && title === draft.title.trim() && sameDocument(content, draft.content),
    );
  };
  const submit = async (expected = version, from = stored) => {
    if (isSending) return;
    const found = problemsOf(draft, zone, new Date());
    const problems: Partial<Record<Field, string>> = {
      ...(found.title && { title: t(found.title) as string }),
      ...(found.at && { at: t(found.at) as string }),
      ...(element.current?.querySelector("[data-upload]:not([data-failed])") && {
        content: t("learning.announcements.form.uploading"),
      }),
    };
    setErrors(problems);
    setFailure(null);
    if (Object.keys(problems).length > 0) return focusFirst(element);
    setSending(true);
    try {
      const done = await send(expected, from);
      if (!done) return;
      dropDraft(userId, key);
      flushSync(() => setKept(true));
      onDone(done);
    } catch (error) {
      const problem = ApiError.from(error);
      if (problem.isUnreachable) isUncertain.current = true;
      const refused = [...problem.fields].flatMap(([name, text]) => {
        const field = FIELDS[name.replace(/^input\./, "").split(".")[0] ?? ""];
        return field ? [[field, text] as const] : [];
      });
      const now =
        problem.status === 409 && stored
          ? await readAgain(client, stored.id).catch(() => undefined)
          : undefined;
      if (now) setTheirs(now);
      else if (refused.length > 0) setErrors(Object.fromEntries(refused));
      else setFailure(failureText(error));
      focusFirst(element);
    } finally {
      setSending(false);
    }
  };
  return {
    draft,
    change,
    revision,
    errors,
    failure,
    isSending,
    isChanged,
    isKept,
    isRestored: isRestored && isChanged,
    revert,
    submit: () => submit(),
    /** The announcement as somebody else has stored it meanwhile; null without a conflict. */
    theirs,
    keepMine: () => {
      if (!theirs) return;
      setStored(theirs);
      setVersion(theirs.version);
      setTheirs(null);
      void submit(theirs.version, theirs);
    },
    takeTheirs: () => {
      if (!theirs) return;
      const before = draft;
      const from = theirs;
      setStored(from);
      setTheirs(null);
      dropDraft(userId, key);
      setDraft(draftOf(from, zone, i18n.language));
      setVersion(from.version);
      setRevision((count) => count + 1);
      offerUndo(t("learning.announcements.draft.reverted"), () => startOver(before, from.version));
    },
    zone,
    isPublished: stored !== undefined && !isScheduled(stored),
  };
}

/** Moves the focus to the first field with a problem, once it is marked. */
function focusFirst(element: RefObject<HTMLElement | null>) {
  setTimeout(() =>
    element.current
      ?.querySelector<HTMLElement>("[aria-invalid=true], [data-error] [contenteditable]")
      ?.focus(),
  );
}
