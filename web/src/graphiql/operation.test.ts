import { expect, test } from "vitest";
import { operationOf } from "./operation";

const live = "subscription CourseActivity($id: ID!) { courseActivity(courseId: $id) { ...Who } }";

test("a single operation is run, whatever operation name GraphiQL passes", () => {
  const query = `${live} fragment Who on Activity { at }`;
  const { document, name } = operationOf({ query, operationName: "CourseTree" });
  expect(name).toBe("CourseActivity");
  expect(document?.definitions).toHaveLength(2);
  expect(operationOf({ query: "{ me { id } }", operationName: "CourseTree" }).name).toBeNull();
});

test("the named operation of several is run", () => {
  const query = "query Quiz { me { id } } mutation TakeQuiz { logout { ok } }";
  expect(operationOf({ query, operationName: "TakeQuiz" }).name).toBe("TakeQuiz");
  expect(operationOf({ query }).name).toBeNull();
});

test("a text with a syntax error has no known operation", () => {
  expect(operationOf({ query: "query {", operationName: "Tree" })).toEqual({ name: "Tree" });
});
