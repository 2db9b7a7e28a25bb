// API calls for tests and benchmarks. Every response other than a success throws.

/** @param {string} base @param {string} path @param {unknown} body @param {string} [token] */
export async function post(base, path, body, token) {
  const answer = await fetch(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return success(answer);
}

/** @param {string} base @param {string} email @param {string} password @returns {Promise<string>} the access token */
export async function login(base, email, password) {
  const form = new URLSearchParams({ username: email, password });
  const answer = await fetch(`${base}/api/v1/login/access-token`, { method: "POST", body: form });
  return (await success(answer)).access_token;
}

/** @param {string} base @param {string} token @param {string} query @param {Record<string, unknown>} variables */
export async function graphql(base, token, query, variables) {
  const { data, errors } = await post(base, "/graphql", { query, variables }, token);
  if (errors) throw new Error(`GraphQL: ${JSON.stringify(errors)}`);
  return data;
}

/** @param {Response} answer @returns {Promise<any>} */
async function success(answer) {
  if (answer.status !== 200) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
