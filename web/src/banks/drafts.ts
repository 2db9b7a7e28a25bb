import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { type AuthorQuestion, KINDS, type Kind } from "../quiz-builder/model";
import { MeDocument } from "../shell/Me.generated";
import { forgetJson, forgetOldest, isObject, keepJson, keysWith, readJson } from "../ui/localJson";

/** Unsaved bank questions. They are kept on this device, so that neither the end of the session nor a closed tab loses them. */
const PREFIX = "bank-draft:";
/** Limit on kept drafts; the oldest are deleted. */
const KEPT = 50;

/** Identifies a draft: its author, the bank, and a stored question or the kind of a new one. */
export interface DraftKey {
  userId: string | undefined;
  bankId: string;
  of: { questionId: string } | { kind: Kind };
}

export interface QuestionDraft {
  /** Null if only the tags of a new question were changed. */
  question: AuthorQuestion | null;
  /** Of a stored question: the version that the change is based on. */
  version?: number;
  /** Of a new question; null without a change. */
  tags?: readonly string[] | null;
}

const bankPrefix = (userId: string, bankId: string) => `${PREFIX}${userId}:${bankId}:`;
const keyOf = ({ userId = "", bankId, of }: DraftKey) =>
  bankPrefix(userId, bankId) + ("kind" in of ? `new:${of.kind}` : of.questionId);

export function keepDraft(key: DraftKey, draft: QuestionDraft): void {
  if (key.userId === undefined) return;
  keepJson(keyOf(key), { ...draft, savedAt: Date.now() });
  forgetOldest(PREFIX, KEPT, "savedAt");
}

export function dropDraft(key: DraftKey): void {
  forgetJson(keyOf(key));
}

/** Reads a draft; null without one, and for one that cannot be read. */
export function readDraft(key: DraftKey): QuestionDraft | null {
  const stored = readJson(keyOf(key));
  if (!isObject(stored)) return null;
  const { question, version, tags } = stored;
  if (question !== null && !(isObject(question) && KINDS.includes(question.type as Kind))) return null;
  return {
    question: question as AuthorQuestion | null,
    ...(typeof version === "number" && { version }),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : null,
  };
}

/** What the newest draft of a bank is about; null without one. */
export function newestDraft(userId: string, bankId: string): DraftKey["of"] | null {
  const prefix = bankPrefix(userId, bankId);
  const ageOf = (key: string) => Number((readJson(key) as { savedAt?: unknown } | null)?.savedAt) || 0;
  const newest = keysWith(prefix).sort((one, other) => ageOf(other) - ageOf(one))[0];
  const name = newest?.slice(prefix.length);
  if (!name) return null;
  const kind = KINDS.find((one) => name === `new:${one}`);
  return kind ? { kind } : { questionId: name };
}

/** The person who is signed in, also after the session has ended, which empties the cache. */
export function useDraftOwner(): string | undefined {
  const { data } = useQuery(MeDocument, { fetchPolicy: "cache-only" });
  const [userId, setUserId] = useState(data?.me.id);
  if (data && data.me.id !== userId) setUserId(data.me.id);
  return userId;
}
