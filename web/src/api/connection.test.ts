import { gql, type InMemoryCache } from "@apollo/client";
import { beforeEach, expect, test } from "vitest";
import { createCache } from "./cache";

const LIST = gql`
  query List($search: String, $first: Int, $after: String) {
    allCourses(search: $search, first: $first, after: $after) {
      totalCount
      nodes {
        id
        title
      }
      edges {
        cursor
        node {
          id
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

let cache: InMemoryCache;
beforeEach(() => {
  cache = createCache();
});

function arrives(variables: object, ids: string[], totalCount = 9) {
  cache.writeQuery({
    query: LIST,
    variables,
    data: {
      allCourses: {
        __typename: "CourseConnection",
        totalCount,
        nodes: ids.map((id) => ({ __typename: "Course", id, title: id })),
        edges: ids.map((id) => ({
          __typename: "CourseEdge",
          cursor: id,
          node: { __typename: "Course", id },
        })),
        pageInfo: { __typename: "PageInfo", hasNextPage: true, endCursor: ids.at(-1) },
      },
    },
  });
}

function shown(variables: object) {
  const data = cache.readQuery<{
    allCourses: {
      totalCount: number;
      nodes: { id: string }[];
      edges: { node: { id: string } }[];
      pageInfo: { endCursor: string };
    };
  }>({ query: LIST, variables });
  const ids = data?.allCourses.nodes.map(({ id }) => id);
  expect(data?.allCourses.edges.map(({ node }) => node.id)).toEqual(ids);
  return { ids, total: data?.allCourses.totalCount, end: data?.allCourses.pageInfo.endCursor };
}

test("a page fetched with `after` is appended and replaces the page info", () => {
  arrives({ first: 2 }, ["a", "b"]);
  arrives({ first: 2, after: "b" }, ["c", "d"], 8);
  expect(shown({ first: 2 })).toEqual({ ids: ["a", "b", "c", "d"], total: 8, end: "d" });
});

test("a row that moved between two fetches appears once", () => {
  arrives({ first: 2 }, ["a", "b"]);
  arrives({ first: 2, after: "b" }, ["b", "c"]);
  expect(shown({ first: 2 }).ids).toEqual(["a", "b", "c"]);
});

test("fetching the first page again replaces the list", () => {
  arrives({ first: 2 }, ["a", "b"]);
  arrives({ first: 2, after: "b" }, ["c"]);
  arrives({ first: 2 }, ["x"]);
  expect(shown({ first: 2 }).ids).toEqual(["x"]);
});

test("another search has its own list", () => {
  arrives({ first: 2 }, ["a", "b"]);
  arrives({ first: 2, search: "b" }, ["b"]);
  expect(shown({ first: 2 }).ids).toEqual(["a", "b"]);
  expect(shown({ first: 2, search: "b" }).ids).toEqual(["b"]);
});
