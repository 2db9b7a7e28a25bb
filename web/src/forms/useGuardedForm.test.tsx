import { ApolloClient, ApolloLink, InMemoryCache } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInRouter } from "../testing/renderInRouter";
import { useGuardedForm } from "./useGuardedForm";

afterEach(cleanup);

const client = new ApolloClient({ link: ApolloLink.empty(), cache: new InMemoryCache() });

function Upload({ save }: { save: () => Promise<void> }) {
  const form = useGuardedForm({
    name: "grade-import",
    defaultValues: { reason: "", file: "" },
    refusalAt: "file",
    save,
  });
  return (
    <form {...form.props}>
      <input aria-label="Reason" {...form.register("reason")} />
      <p role="alert">{form.formState.errors.file?.message}</p>
      <button type="submit">Save</button>
    </form>
  );
}

test("a refusal that is shown at a field without an element does not block the next submit", async () => {
  const save = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error("refused")).mockResolvedValue();
  await renderInRouter(
    <ApolloProvider client={client}>
      <Upload save={save} />
    </ApolloProvider>,
  );
  const submit = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));
  const message = () => screen.getByRole("alert").textContent;
  submit();
  await waitFor(() => expect(message()).not.toBe(""));
  submit();
  await waitFor(() => expect(save).toHaveBeenCalledTimes(2));
  await waitFor(() => expect(message()).toBe(""));
});
