import type { ApolloClient, OperationVariables, TypedDocumentNode } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { toastFailure } from "../ui/toasts";
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
import { hideItems, showItems } from "./hidden";
import { Queue } from "./queue";
import type { NewKind } from "./rows";
import { indexOf, type Kind, moveTo, type Place, pagesIn, putBack, steps, type Tree, without } from "./tree";
import { type Typename, writeFields, writeOutline } from "./writeOutline";

const TYPENAMES = { module: "Module", lesson: "Lesson", page: "Page" } as const satisfies Record<
  Kind,
  Typename
>;

/**
 * What an author does to the outline of one course. Each change shows at once, is told to the server in its turn, and what
 * the server says is written when the last of them has been answered: an answer in between would put back what was moved
 * after it.
 */
export class Edits {
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

  /** Moves items of one kind. Answers with what takes it back; null when nothing moved. */
  move(ids: readonly string[], place: Place): (() => void) | null {
    const before = this.#tree();
    const after = before && moveTo(before, ids, place);
    if (!before || !after || after === before) return null;
    this.#show(before, after, ids);
    return () => {
      const now = this.#tree();
      const restored = now && putBack(now, before, ids);
      if (now && restored && restored !== now) this.#show(now, restored, ids);
    };
  }

  /** Rejects with the server's refusal; the old title is back then. */
  async rename(kind: Kind, id: string, title: string | null): Promise<void> {
    const before = this.#find(id)?.item.title ?? null;
    this.#write(kind, id, { title });
    const told =
      kind === "page"
        ? this.#send(ChangePageDocument, { input: { pageId: id, title } })
        : kind === "lesson"
          ? this.#send(ChangeLessonDocument, { input: { lessonId: id, title } })
          : this.#send(ChangeModuleDocument, { input: { moduleId: id, title } });
    try {
      await told;
    } catch (error) {
      this.#write(kind, id, { title: before });
      throw error;
    }
  }

  /** Shows all pages in and below these to learners, or hides them. One that refuses, say for an unfinished quiz, stays. */
  publish(ids: readonly string[], published: boolean) {
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
    for (const { id } of changed) {
      this.#send(ChangePageDocument, { input: { pageId: id, published } }).catch((error: unknown) => {
        this.#write("page", id, { published: !published });
        toastFailure(error);
      });
    }
  }

  /** Answers with the id of what was made. */
  async create(kind: NewKind, { parentId, before }: Place, title: string): Promise<string> {
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
      kind: kind === "quiz" ? ("QUIZ" as const) : ("CONTENT" as const),
      published: false,
    };
    return (await this.#sendOnce(CreatePageDocument, { input })).createPage.page.id;
  }

  /** Answers with the id of the copy, which stands right after the original. */
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

  /** Off the screen at once, off the server when it can no longer be taken back. */
  remove(ids: readonly string[], text: string) {
    const gone = ids.flatMap((id) => {
      const found = this.#find(id);
      return found ? [{ id, kind: found.kind }] : [];
    });
    hideItems(ids);
    undoable({
      text,
      undo: () => showItems(ids),
      commit: async (leaving) => {
        const calls = await Promise.allSettled(gone.map((item) => this.#delete(item, leaving)));
        const deleted = gone.filter((_, index) => calls[index]?.status === "fulfilled").map(({ id }) => id);
        const now = this.#tree();
        if (now) writeOutline(this.#client.cache, now, without(now, new Set(deleted)));
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
      // Somebody else was faster.
      if (ApiError.from(error).status !== 404) throw error;
    }
  }

  #show(before: Tree, after: Tree, ids: readonly string[]) {
    writeOutline(this.#client.cache, before, after);
    for (const { kind, id, parentId, index: position } of steps(before, after, ids)) {
      const told =
        kind === "module"
          ? this.#send(ChangeModuleDocument, { input: { moduleId: id, position } })
          : kind === "lesson"
            ? this.#send(ChangeLessonDocument, {
                input: { lessonId: id, position, ...(parentId && { moduleId: parentId }) },
              })
            : this.#send(ChangePageDocument, {
                input: { pageId: id, position, ...(parentId && { lessonId: parentId }) },
              });
      told.catch((error: unknown) => {
        toastFailure(error);
        this.#readAgain();
      });
    }
  }

  /** As it is stored in the browser: with what waits to be deleted, which still takes its place on the server. */
  #tree(): Tree | null {
    const query = { query: EditCourseDocument, variables: { id: this.#courseId } };
    return (this.#client.readQuery(query)?.course as Tree | undefined) ?? null;
  }

  #find(id: string) {
    const tree = this.#tree();
    return tree ? indexOf(tree).get(id) : undefined;
  }

  #write(kind: Kind, id: string, fields: Record<string, unknown>) {
    writeFields(this.#client.cache, TYPENAMES[kind], id, fields);
  }

  /** What is on the screen is not so; the server knows. */
  #readAgain() {
    this.#client
      .query({
        query: EditCourseDocument,
        variables: { id: this.#courseId },
        fetchPolicy: "network-only",
      })
      .catch(() => undefined);
  }

  /** For what must not be done twice: the first time may have been heard though no answer came. */
  #sendOnce<Data, Variables extends OperationVariables>(
    mutation: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data> {
    return this.#send(mutation, variables, { patient: false });
  }

  #send<Data, Variables extends OperationVariables>(
    mutation: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    { patient = true, leaving = false } = {},
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
    // Who is leaving has no time to wait for a turn.
    return leaving ? ask() : this.queue.push(ask, { patient });
  }
}

const made = new WeakMap<ApolloClient, Map<string, Edits>>();

/** The same for every screen of a course, so that what waits goes on when one of them is left. */
export function editsOf(client: ApolloClient, courseId: string): Edits {
  const ofClient = made.get(client) ?? new Map<string, Edits>();
  made.set(client, ofClient);
  const edits = ofClient.get(courseId) ?? new Edits(client, courseId);
  ofClient.set(courseId, edits);
  return edits;
}
