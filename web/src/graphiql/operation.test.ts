import { expect, test } from "vitest";
import { operationOf } from "./operation";

const live = "subscription CourseActivity($id: ID!) { courseActivity(courseId: $id) { ...Who } }";

test("the only operation of a text is run, whatever the one of the tab before was called", () => {
  const query = `${live} fragment Who on Activity { at }`;
  const { document, name } = operationOf({ query, operationName: "CourseTree" });
  expect(name).toBe("CourseActivity");
  expect(document?.definitions).toHaveLength(2);
  expect(operationOf({ query: "{ me { id } }", operationName: "CourseTree" }).name).toBeNull();
});

test("of several the named one is", () => {
  const query = "query Quiz { me { id } } mutation TakeQuiz { logout { ok } }";
  expect(operationOf({ query, operationName: "TakeQuiz" }).name).toBe("TakeQuiz");
  expect(operationOf({ query }).name).toBeNull();
});

test("of a text that cannot be read nothing is known", () => {
  expect(operationOf({ query: "query {", operationName: "Tree" })).toEqual({ name: "Tree" });
});
