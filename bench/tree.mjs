// The tree query of a learner for the benchmarks, and the course it queries.
import { graphql, login, post } from "../scripts/client.mjs";
import { admin } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";

export const treeQuery = `query Tree($id: ID!) { course(id: $id) { title progress { percent } modules { title avatarUrl lessons {
  title isCompleted pages { id title kind isVisited isCompleted } } } } }`;

/**
 * Creates a course and a learner who has visited every third page. Returns the request, its verified response and its length. A second
 * course of this size on the same server needs another `name` of its learner.
 */
export async function prepareCourse(server, folder, pages, name = "learner") {
  await writeCourse(folder, pages);
  const { course_id: id, share_code: code, counts } = await server.import(folder, admin.email);
  if (counts.pages !== pages) throw new Error(`the book of ${pages} pages was imported as ${counts.pages}`);

  const account = { email: `${name}-${pages}@example.com`, password: "a-learner-of-many-pages" };
  await post(server.url, "/api/v1/users/signup", { ...account, full_name: "Читатель" });
  const token = await login(server.url, account.email, account.password);
  await post(server.url, "/api/v1/courses/enroll", { share_code: code }, token);

  const { course } = await graphql(server.url, token, treeQuery, { id });
  const ids = course.modules.flatMap((module) =>
    module.lessons.flatMap((lesson) => lesson.pages.map((page) => page.id)),
  );
  if (ids.length !== pages) throw new Error(`the tree of ${pages} pages shows ${ids.length}`);
  for (const page of ids.filter((_, at) => at % 3 === 0)) {
    await post(server.url, `/api/v1/courses/mark_page_visited/${page}`, {}, token);
  }

  const body = JSON.stringify({ query: treeQuery, variables: { id } });
  const answer = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body,
  });
  const text = await answer.text();
  const tree = JSON.parse(text);
  const visited = Math.ceil(pages / 3);
  if (tree.errors || tree.data.course.progress.percent !== Math.floor((visited * 100) / pages)) {
    throw new Error(`the tree of ${pages} pages does not show the visits: ${text.slice(0, 300)}`);
  }
  return { id, pages, body, token, text, code, ids, length: Buffer.byteLength(text) };
}
