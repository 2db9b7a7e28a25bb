import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import type { MoveStudentsInput } from "../api/schema.generated";
import { renderInRouter } from "../testing/renderInRouter";
import { dismissToast, runToastAction, toastStore } from "../ui/toasts";
import type { Group } from "./useGroups";
import { type Member, useMove } from "./useMove";

const group = { id: "b", title: "Б" } as Group;
const member = (id: string, name: string, group: string | null): Member => ({
  id,
  name,
  group: group === null ? null : { id: group },
});
const members = [
  member("anna", "Анна", "a"),
  member("boris", "Борис", "a"),
  member("gleb", "Глеб", "gone"),
  member("vera", "Вера", null),
];
const onOutdated = vi.fn();
/** Replaces non-breaking spaces. */
const plain = (text: string | undefined) => text?.replaceAll("\u00a0", " ");

/** The group that each student is in. */
let stored: Record<string, string | null>;
let sent: Omit<MoveStudentsInput, "courseId">[];
beforeEach(() => {
  stored = { anna: "a", boris: "a", gleb: "gone", vera: null };
  sent = [];
  onOutdated.mockReset();
  for (const { id } of toastStore.get()) dismissToast(id);
});
afterEach(cleanup);

/** Moves as the server does. The group «gone» does not exist any more. */
function moveStudents({ courseId: _, ...input }: MoveStudentsInput) {
  sent.push(input);
  const { groupId = null, expectedGroupId, expectedGroups } = input;
  const ids = input.enrollmentIds as string[];
  if (groupId === "gone") throw new Error("Такой группы в курсе нет");
  const isElsewhere = (id: string) => {
    const listed = expectedGroups?.find(({ enrollmentId }) => enrollmentId === id);
    const expected = listed ? listed.groupId : expectedGroupId;
    return expected !== undefined && stored[id] !== expected && stored[id] !== groupId;
  };
  const changed = ids.filter(isElsewhere).map((id) => ({ __typename: "StudentElsewhere", enrollmentId: id }));
  const moved = changed.length > 0 ? [] : ids.filter((id) => stored[id] !== groupId);
  for (const id of moved) stored[id] = groupId;
  const conflict = { __typename: "MoveConflict", message: "Их уже перевели", changed };
  return {
    __typename: "MoveStudentsPayload",
    moved,
    conflict: changed.length > 0 ? conflict : null,
    course: { __typename: "Course", id: "c", groups: [] },
  };
}

function Mover() {
  const move = useMove("c", onOutdated);
  return (
    <button type="button" onClick={() => void move(members, group)}>
      Перевести
    </button>
  );
}

async function pressMove() {
  const link = new ApolloLink(
    ({ variables }) =>
      new Observable((observer) => {
        try {
          observer.next({ data: { moveStudents: moveStudents(variables.input) } });
          observer.complete();
        } catch (error) {
          observer.error(error);
        }
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  await renderInRouter(
    <ApolloProvider client={client}>
      <Mover />
    </ApolloProvider>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Перевести" }));
  await waitFor(() => expect(toastStore.get()).toHaveLength(1));
}

test("a move based on a stale list changes nothing, and the message names the students whose group has changed", async () => {
  stored.boris = "c";
  stored.vera = "b";
  await pressMove();
  expect(sent).toEqual([
    {
      enrollmentIds: ["anna", "boris", "gleb", "vera"],
      groupId: "b",
      expectedGroups: members.map(({ id, group }) => ({ enrollmentId: id, groupId: group?.id ?? null })),
    },
  ]);
  expect(stored).toEqual({ anna: "a", boris: "c", gleb: "gone", vera: "b" });
  expect(onOutdated).toHaveBeenCalledOnce();
  const [toast] = toastStore.get();
  expect(toast?.kind).toBe("failure");
  expect(plain(toast?.text)).toBe(
    "Никто не переведён. Уже в другой группе: Борис. Список обновлён — проверьте его и повторите.",
  );
});

test("undo restores as many students as possible and names the others", async () => {
  await pressMove();
  stored.boris = "c"; // somebody else moves him
  runToastAction(Number(toastStore.get()[0]?.id));
  await waitFor(() => expect(onOutdated).toHaveBeenCalledOnce());
  const back = (enrollmentIds: string[], groupId: string | null) => ({
    enrollmentIds,
    groupId,
    expectedGroupId: "b",
  });
  expect(sent.slice(1)).toEqual([
    back(["anna", "boris"], "a"),
    back(["anna"], "a"),
    back(["gleb"], "gone"),
    back(["vera"], null),
  ]);
  expect(stored).toEqual({ anna: "a", boris: "c", gleb: "b", vera: null });
  await waitFor(() => expect(toastStore.get().at(-1)?.kind).toBe("failure"));
  const text = plain(toastStore.get().at(-1)?.text);
  expect(text).toContain("Остались на месте: Борис. Их группу уже изменил кто-то другой.");
  expect(text).toContain("Не вернулись в прежнюю группу: Глеб.");
});
