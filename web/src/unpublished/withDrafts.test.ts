import { gql } from "@apollo/client";
import { print } from "graphql";
import { expect, it } from "vitest";
import { withDrafts } from "./withDrafts";

it("asks for the unpublished changes of the page, and for the rest of the query as before", () => {
  const query = gql`query One($id: ID!) { me { id } page(id: $id) { id page: title } }`;
  expect(print(withDrafts(query))).toBe(
    print(gql`query One($id: ID!) { me { id } page(id: $id, drafts: true) { id page: title } }`),
  );
  // The same document again: Apollo starts a query over when it gets another one.
  expect(withDrafts(query)).toBe(withDrafts(query));
});
