/** Unknown paths. */
export function NotFoundScreen() {
  return <h1>Упс!</h1>;
}
/** The generic text where a part of a screen is not found. */
export function NotFoundText() {
  return <p>Not Found</p>;
}
