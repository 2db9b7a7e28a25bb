/**
 * Assigns heading anchors and numbers repeated ones (docs/content-model.md, "Addresses"). The importer rewrites links by the same rule
 * in Rust (`content/walk.rs`); a change on one side breaks the links inside imported courses.
 */
export class Anchors {
  readonly #seen = new Map<string, number>();

  /** The anchor of the next heading in reading order; null for one without letters or digits. */
  next(heading: string): string | null {
    const base = anchorOf(heading);
    if (base === "") return null;
    const earlier = this.#seen.get(base) ?? 0;
    this.#seen.set(base, earlier + 1);
    return earlier === 0 ? base : `${base}-${earlier}`;
  }
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/\p{White_Space}/gu, "-")
    .replace(/[^\p{Alphabetic}\p{Number}_-]/gu, "");
}
