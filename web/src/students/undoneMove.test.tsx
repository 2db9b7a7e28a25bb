import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { renderInRouter } from "../testing/renderInRouter";
import { runToastAction, toastStore } from "../ui/toasts";
import type { Group } from "./useGroups";
import { type Member, useMove } from "./useMove";

afterEach(cleanup);

const group = { id: "b", title: "Б" } as Group;
const members: Member[] = [
  { id: "anna", group: { id: "a" } },
  { id: "boris", group: { id: "a" } },
  { id: "vera", group: null },
];
const onUndone = vi.fn();

function Mover() {
  const move = useMove("c", onUndone);
  return (
    <button type="button" onClick={() => void move(members, group)}>
      Перевести
    </button>
  );
}

test("undo of a move skips students whom somebody else has moved since, and says so", async () => {
  const sent: Record<string, unknown>[] = [];
  const link = new ApolloLink(
    ({ variables }) =>
      new Observable((observer) => {
        const input = variables.input as { enrollmentIds: string[]; expectedGroupId?: string };
        sent.push(input);
        // Boris was moved to another group in the meantime.
        const isStale = input.expectedGroupId !== undefined && input.enrollmentIds.includes("boris");
        const changed = [{ __typename: "StudentElsewhere", enrollmentId: "boris" }];
        const conflict = { __typename: "MoveConflict", message: "Их уже перевели", changed };
        observer.next({
          data: {
            moveStudents: {
              __typename: "MoveStudentsPayload",
              moved: isStale ? [] : input.enrollmentIds,
              conflict: isStale ? conflict : null,
              course: { __typename: "Course", id: "c", groups: [] },
            },
          },
        });
        observer.complete();
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
  runToastAction(Number(toastStore.get()[0]?.id));
  await waitFor(() => expect(onUndone).toHaveBeenCalledOnce());
  const back = (enrollmentIds: string[], groupId: string | null) => ({
    courseId: "c",
    enrollmentIds,
    groupId,
    expectedGroupId: "b",
  });
  expect(sent.slice(1)).toEqual([back(["anna", "boris"], "a"), back(["anna"], "a"), back(["vera"], null)]);
  expect(toastStore.get().at(-1)).toMatchObject({ kind: "failure", text: "Их уже перевели" });
});
