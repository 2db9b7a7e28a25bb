/** Whether the app was opened from the public page of the course on this site. It stays so while the visitor signs up or signs in. */
export function comesFromPage(courseId: string): boolean {
  if (!document.referrer) return false;
  const { origin, pathname } = new URL(document.referrer);
  return origin === window.location.origin && pathname === `/courses/${courseId}`;
}
