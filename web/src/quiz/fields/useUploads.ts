import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApiError } from "../../api/apiError";
import { sendFile } from "../../api/upload";
import { newId } from "../../ui/newId";
import { failureText } from "../../ui/toasts";
import type { AnswerFile } from "../files";

/** Uploads that run at the same time. A browser opens few connections to one server, and other requests need some of them. */
const AT_ONCE = 3;

/** A chosen file that the server does not have yet. */
export interface Upload {
  key: string;
  name: string;
  /** In bytes. */
  size: number;
  state: "queued" | "running" | "failed";
  /** The uploaded share, from 0 to 1. */
  share: number;
  /** Why it failed; null otherwise. */
  problem: string | null;
  /** Whether it may succeed when it is sent again. */
  mayRetry: boolean;
}

interface Options {
  /** The address that takes the files. */
  url: string;
  /** Whether the answer takes no files any more, so that the uploads end. */
  isOver: boolean;
  /** Called with each stored file and the key of its upload. */
  onStored: (file: AnswerFile, key: string) => void;
  onFailed: (name: string) => void;
  /** Called when the server takes no files here any more: the quiz was closed, or has no attempts left. */
  onRefused: () => void;
}

/** Uploads files, a few at a time; each can be cancelled and sent again by itself. Leaving the screen cancels them. */
export function useUploads({ url, isOver, onStored, onFailed, onRefused }: Options) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const files = useRef(new Map<string, File>());
  const queue = useRef<string[]>([]);
  const running = useRef(new Map<string, AbortController>());
  const stored = useEffectEvent((file: AnswerFile, key: string) => {
    if (!isOver) onStored(file, key);
  });
  const failed = useEffectEvent(onFailed);
  const refused = useEffectEvent(onRefused);
  useEffect(() => {
    const all = running.current;
    return () => {
      queue.current = []; // or the end of an aborted upload would start the next one
      for (const controller of all.values()) controller.abort();
    };
  }, []);

  useEffect(() => {
    if (!isOver) return;
    queue.current = [];
    for (const [key, controller] of running.current) {
      controller.abort();
      files.current.delete(key);
    }
    setUploads((all) => all.filter(({ state }) => state === "failed"));
  }, [isOver]);

  const change = (key: string, part: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const forget = (key: string) => {
    files.current.delete(key);
    setUploads((all) => all.filter((one) => one.key !== key));
  };
  const startNext = () => {
    while (running.current.size < AT_ONCE) {
      const key = queue.current.shift();
      if (key === undefined) return;
      void send(key);
    }
  };
  const send = async (key: string) => {
    const file = files.current.get(key);
    if (!file) return;
    const controller = new AbortController();
    running.current.set(key, controller);
    change(key, { state: "running" });
    try {
      const { id, filename, content_type, size } = await sendFile(url, file, {
        signal: controller.signal,
        onProgress: (share) => change(key, { share }),
      });
      // It was cancelled, and its response was already here.
      if (controller.signal.aborted) return;
      // Two uploads may end at the same time, and the second one must see the answer with the first.
      flushSync(() => {
        forget(key);
        stored({ id, filename, contentType: content_type, size }, key);
      });
    } catch (failure) {
      if (controller.signal.aborted) return;
      const { isUnreachable, status } = ApiError.from(failure);
      change(key, {
        state: "failed",
        problem: failureText(failure),
        mayRetry: isUnreachable || status === 429 || status >= 500,
      });
      failed(file.name);
      if (status === 409) refused();
    } finally {
      running.current.delete(key);
      startNext();
    }
  };
  const enqueue = (keys: string[]) => {
    queue.current.push(...keys);
    startNext();
  };

  return {
    uploads,
    add: (chosen: readonly File[]) => {
      const added = chosen.map((file): Upload => {
        const key = newId();
        files.current.set(key, file);
        const { name, size } = file;
        return { key, name, size, state: "queued", share: 0, problem: null, mayRetry: false };
      });
      setUploads((all) => [...all, ...added]);
      enqueue(added.map(({ key }) => key));
    },
    /** Sends a failed upload again. */
    retry: (key: string) => {
      change(key, { state: "queued", share: 0, problem: null });
      enqueue([key]);
    },
    /** Ends an upload and forgets its file. */
    cancel: (key: string) => {
      queue.current = queue.current.filter((one) => one !== key);
      running.current.get(key)?.abort();
      forget(key);
    },
  };
}
