import type { ApolloClient, OperationVariables, TypedDocumentNode } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { takesAttempts } from "../course/takesAttempts";
import { hideItems, showItems } from "../ui/hiddenItems";
import { failureText, toastFailure } from "../ui/toasts";
import { undoable } from "../ui/undo";
import {
  ChangeLessonDocument,
  ChangeModuleDocument,
  ChangePageDocument,
  CreateLessonDocument,
  CreateModuleDocument,
  CreatePageDocument,
  DeleteLessonDocument,
  DeleteModuleDocument,
  DeletePageDocument,
  DuplicateLessonDocument,
  DuplicateModuleDocument,
  DuplicatePageDocument,
  EditCourseDocument,
} from "./EditCourse.generated";
import type { Refused } from "./outlineStore";
import { Queue } from "./queue";
import type { NewKind } from "./rows";
import {
  indexOf,
  type Kind,
  moveSteps,
  moveTo,
  type Position,
  pagesIn,
  restorePositions,
  type Tree,
  withoutItems,
} from "./tree";
import { type Typename, writeFields, writeOutline } from "./writeOutline";

/** The kinds of new pages. */
const PAGE_KINDS = { page: "CONTENT", quiz: "QUIZ", assignment: "ASSIGNMENT" } as const;

const TYPENAMES = { module: "Module", lesson: "Lesson", page: "Page" } as const satisfies Record<
  Kind,
  Typename
>;

/**
 * Changes to the outline of one course. Each change shows at once and is queued for the server. Answers are written to the cache when
 * the queue is empty, because an earlier answer would revert later changes on the screen.
 */
export class OutlineEdits {
  readonly queue: Queue;
  #client: ApolloClient;
  #courseId: string;
  #answers: (() => void)[] = [];

  constructor(client: ApolloClient, courseId: string) {
    this.#client = client;
    this.#courseId = courseId;
    this.queue = new Queue(() =>
      client.cache.batch({
        update: () => {
          for (const write of this.#answers.splice(0)) write();
        },
      }),
    );
  }

  /** Moves items of one kind. Returns a function that undoes the move; null when nothing moved. */
  move(ids: readonly string[], position: Position): (() => void) | null {
    const before = this.tree();
    const after = before && moveTo(before, ids, position);
    if (!before || !after || after === before) return null;
    this.#show(before, after, ids);
    return () => {
      const now = this.tree();
      const restored = now && restorePositions(now, before, ids);
      if (now && restored && restored !== now) this.#show(now, restored, ids);
    };
  }

  /** Sets a title. When the server refuses, restores the old title and rejects. */
  async rename(kind: Kind, id: string, title: string | null): Promise<void> {
    const before = this.#find(id)?.item.title ?? null;
    this.#write(kind, id, { title });
    const answer =
      kind === "page"
        ? this.#send(ChangePageDocument, { input: { pageId: id, title } })
        : kind === "lesson"
          ? this.#send(ChangeLessonDocument, { input: { lessonId: id, title } })
          : this.#send(ChangeModuleDocument, { input: { moduleId: id, title } });
    try {
      await answer;
    } catch (error) {
      this.#write(kind, id, { title: before });
      throw error;
    }
  }

  /**
   * Publishes or hides all pages in and below these items. A page that the server refuses reverts. Resolves with the unfinished quizzes and
   * assignments among them when all are answered; other failures are shown.
   */
  async publish(ids: readonly string[], published: boolean): Promise<Refused[]> {
    const pages = ids.flatMap((id) => {
      const found = this.#find(id);
      return found ? pagesIn(found) : [];
    });
    const changed = pages.filter((page) => page.published !== published);
    this.#client.cache.batch({
      update: () => {
        for (const { id } of changed) this.#write("page", id, { published });
      },
    });
    const refused = changed.map(({ id, kind }) =>
      this.#send(ChangePageDocument, { input: { pageId: id, published } }).then(
        () => [],
        (error: unknown) => {
          this.#write("page", id, { published: !published });
          if (takesAttempts(kind) && ApiError.from(error).status === 422)
            return [{ id, reason: failureText(error) }];
          toastFailure(error);
          return [];
        },
      ),
    );
    return (await Promise.all(refused)).flat();
  }

  /** Resolves with the id of the new item. */
  async create(kind: NewKind, { parentId, before }: Position, title: string): Promise<string> {
    const position = before === null ? undefined : this.#find(before)?.index;
    const at = { title, ...(position !== undefined && { position }) };
    if (kind === "module") {
      const input = { courseId: this.#courseId, ...at };
      return (await this.#sendOnce(CreateModuleDocument, { input })).createModule.module.id;
    }
    if (kind === "lesson") {
      const input = { moduleId: parentId, ...at };
      return (await this.#sendOnce(CreateLessonDocument, { input })).createLesson.lesson.id;
    }
    const input = {
      lessonId: parentId,
      ...at,
      title: title || null,
      kind: PAGE_KINDS[kind],
      published: false,
    };
    return (await this.#sendOnce(CreatePageDocument, { input })).createPage.page.id;
  }

  /** Resolves with the id of the copy, which follows the original. */
  async duplicate(kind: Kind, id: string): Promise<string> {
    if (kind === "module") {
      const answer = await this.#sendOnce(DuplicateModuleDocument, { input: { moduleId: id } });
      return answer.duplicateModule.module.id;
    }
    if (kind === "lesson") {
      const answer = await this.#sendOnce(DuplicateLessonDocument, { input: { lessonId: id } });
      return answer.duplicateLesson.lesson.id;
    }
    return (await this.#sendOnce(DuplicatePageDocument, { input: { pageId: id } })).duplicatePage.page.id;
  }

  /** Hides the items at once, and deletes them on the server when the time to undo is over. `onUndo` runs when they are back. */
  remove(ids: readonly string[], text: string, onUndo: () => void = () => {}) {
    const gone = ids.flatMap((id) => {
      const found = this.#find(id);
      return found ? [{ id, kind: found.kind }] : [];
    });
    hideItems(ids);
    undoable({
      text,
      undo: () => {
        showItems(ids);
        onUndo();
      },
      commit: async (leaving) => {
        const calls = await Promise.allSettled(gone.map((item) => this.#delete(item, leaving)));
        const deleted = gone.filter((_, index) => calls[index]?.status === "fulfilled").map(({ id }) => id);
        const now = this.tree();
        if (now) writeOutline(this.#client.cache, now, withoutItems(now, new Set(deleted)));
        showItems(ids);
        const failed = calls.find((call) => call.status === "rejected");
        if (failed) toastFailure(failed.reason);
      },
    });
  }

  async #delete({ id, kind }: { id: string; kind: Kind }, leaving: boolean): Promise<void> {
    try {
      if (kind === "module") await this.#send(DeleteModuleDocument, { input: { moduleId: id } }, { leaving });
      else if (kind === "lesson")
        await this.#send(DeleteLessonDocument, { input: { lessonId: id } }, { leaving });
      else await this.#send(DeletePageDocument, { input: { pageId: id } }, { leaving });
    } catch (error) {
      // Another editor has deleted it already.
      if (ApiError.from(error).status !== 404) throw error;
    }
  }

  #show(before: Tree, after: Tree, ids: readonly string[]) {
    writeOutline(this.#client.cache, before, after);
    for (const { kind, id, parentId, index: position } of moveSteps(before, after, ids)) {
      const answer =
        kind === "module"
          ? this.#send(ChangeModuleDocument, { input: { moduleId: id, position } })
          : kind === "lesson"
            ? this.#send(ChangeLessonDocument, {
                input: { lessonId: id, position, ...(parentId && { moduleId: parentId }) },
              })
            : this.#send(ChangePageDocument, {
                input: { pageId: id, position, ...(parentId && { lessonId: parentId }) },
              });
      answer.catch((error: unknown) => {
        toastFailure(error);
        this.#readAgain();
      });
    }
  }

  /** The tree in the cache, including items that wait to be deleted: they still count in positions on the server. */
  tree(): Tree | null {
    const query = { query: EditCourseDocument, variables: { id: this.#courseId } };
    return (this.#client.readQuery(query)?.course as Tree | undefined) ?? null;
  }

  #find(id: string) {
    const tree = this.tree();
    return tree ? indexOf(tree).get(id) : undefined;
  }

  #write(kind: Kind, id: string, fields: Record<string, unknown>) {
    writeFields(this.#client.cache, TYPENAMES[kind], id, fields);
  }

  /** Replaces the screen's tree with the server's after a refused change. */
  #readAgain() {
    this.#client
      .query({
        query: EditCourseDocument,
        variables: { id: this.#courseId },
        fetchPolicy: "network-only",
      })
      .catch(() => undefined);
  }

  /** For calls that are not idempotent: the first call may have succeeded without an answer. */
  #sendOnce<Data, Variables extends OperationVariables>(
    mutation: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data> {
    return this.#send(mutation, variables, { retry: false });
  }

  #send<Data, Variables extends OperationVariables>(
    mutation: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    { retry = true, leaving = false } = {},
  ): Promise<Data> {
    const ask = async (): Promise<Data> => {
      const { data } = await this.#client.mutate<Data, OperationVariables>({
        mutation,
        variables,
        fetchPolicy: "no-cache",
        context: { fetchOptions: { keepalive: leaving } },
      });
      this.#answers.push(() =>
        this.#client.cache.write({
          dataId: "ROOT_MUTATION",
          query: this.#client.cache.transformDocument(mutation),
          variables,
          result: data as Record<string, unknown>,
        }),
      );
      return data as Data;
    };
    // A closing page cannot wait for the queue.
    return leaving ? ask() : this.queue.push(ask, { retry });
  }
}

const made = new WeakMap<ApolloClient, Map<string, OutlineEdits>>();

/** One instance per course, so that queued changes go on when its screen is left. */
export function editsOf(client: ApolloClient, courseId: string): OutlineEdits {
  const ofClient = made.get(client) ?? new Map<string, OutlineEdits>();
  made.set(client, ofClient);
  const edits = ofClient.get(courseId) ?? new OutlineEdits(client, courseId);
  ofClient.set(courseId, edits);
  return edits;
}
