import { ApolloLink, Observable } from "@apollo/client";
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from "graphql";
import { ApiError, GRAPHQL_URL } from "../api/apiError";
import { i18n } from "../i18n";
import { type Choice, inputOf } from "./address";

/** The query fields of learners' screens, with the fields that return the same data in a preview. */
const PREVIEWS: Record<string, string> = { course: "coursePreview", page: "pagePreview" };
/** The fields that are read in the user's own name. */
const OWN = ["me", "enrollment"];

const name = (value: string): NameNode => ({ kind: Kind.NAME, value });
const variable = { kind: Kind.VARIABLE, name: name("previewAs") } as const;
const argument: ArgumentNode = { kind: Kind.ARGUMENT, name: name("as"), value: variable };
const withDrafts: ArgumentNode = {
  kind: Kind.ARGUMENT,
  name: name("drafts"),
  value: { kind: Kind.BOOLEAN, value: true },
};
const definition: VariableDefinitionNode = {
  kind: Kind.VARIABLE_DEFINITION,
  variable,
  type: { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: name("PreviewInput") } },
};

/**
 * Returns a query of a learner's screen with `course` and `page` read from the preview. Their names in the response stay, and the new
 * variable `$previewAs` contains the person and the moment; with `drafts`, pages have their unpublished changes. Throws an `ApiError` for mutations, subscriptions and other fields.
 */
export function previewOf(document: DocumentNode, drafts = false): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? inPreview(one, drafts) : one,
    ),
  };
}

function inPreview(operation: OperationDefinitionNode, drafts: boolean): OperationDefinitionNode {
  if (operation.operation !== "query") throw readOnly();
  const { selectionSet, variableDefinitions = [] } = operation;
  let isPreview = false;
  const selections = selectionSet.selections.map((field): FieldNode => {
    if (field.kind !== Kind.FIELD) throw readOnly();
    const preview = PREVIEWS[field.name.value];
    if (!preview && !OWN.includes(field.name.value)) throw readOnly();
    if (!preview) return field;
    isPreview = true;
    const { alias = field.name, arguments: given = [] } = field;
    const added = drafts ? [argument, withDrafts] : [argument];
    return { ...field, alias, name: name(preview), arguments: [...given, ...added] };
  });
  if (!isPreview) return operation;
  return {
    ...operation,
    selectionSet: { ...selectionSet, selections },
    variableDefinitions: [...variableDefinitions, definition],
  };
}

/** The error of every operation that a preview does not support. */
export function readOnly(): ApiError {
  const body = { detail: i18n.t("students.preview.readOnly") };
  return new ApiError({ url: GRAPHQL_URL, status: 405, statusText: "Method Not Allowed", body });
}

/** Returns the ID of the page that an operation reads; undefined if it reads none. */
function pageIn({ query, variables }: ApolloLink.Operation): string | undefined {
  for (const operation of query.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const field of operation.selectionSet.selections) {
      if (field.kind !== Kind.FIELD || field.name.value !== "page") continue;
      const id = field.arguments?.find((one) => one.name.value === "id")?.value;
      return id?.kind === Kind.VARIABLE ? variables[id.name.value] : undefined;
    }
  }
}

/** The error of a page that belongs to another course. */
function otherCourse(): ApiError {
  return new ApiError({ url: GRAPHQL_URL, status: 404, statusText: "Not Found", body: undefined });
}

/**
 * Returns an Apollo link that rewrites the queries of learners' screens, so that the server answers them as for the person of the preview.
 * It stands before the links of the app. `isOfCourse` asks, in the user's own name, whether a page belongs to the course: a link in a text
 * may lead to a course in which the user is a learner. The server would refuse its preview with 403, and a 403 ends the session.
 */
export function previewLink(choice: Choice, isOfCourse: (pageId: string) => Promise<boolean>): ApolloLink {
  const rewritten = new WeakMap<DocumentNode, DocumentNode>();
  const previewAs = inputOf(choice);
  return new ApolloLink((operation, forward) => {
    try {
      const pageId = pageIn(operation);
      const query = rewritten.get(operation.query) ?? previewOf(operation.query, choice.drafts);
      rewritten.set(operation.query, query);
      operation.query = query;
      operation.variables = { ...operation.variables, previewAs };
      if (pageId === undefined) return forward(operation);
      return new Observable((observer) => {
        let answer: { unsubscribe: () => void } | undefined;
        let isClosed = false;
        isOfCourse(pageId).then(
          (isHere) => {
            if (isClosed) return;
            if (isHere) answer = forward(operation).subscribe(observer);
            else observer.error(otherCourse());
          },
          (error: unknown) => observer.error(error),
        );
        return () => {
          isClosed = true;
          answer?.unsubscribe();
        };
      });
    } catch (error) {
      return new Observable((observer) => observer.error(error));
    }
  });
}
