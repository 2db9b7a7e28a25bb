import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../../scripts/server.mjs";

/** The course that the repository carries. */
export const demoBook = join(root, "demo");

/**
 * A real book of real size, the Russian Rust book, when it is at hand: KURSO_TEST_BOOK, or beside the repository.
 * The story runs on the demo course where it is not.
 */
export const bigBook = [process.env.KURSO_TEST_BOOK, resolve(root, "../shared/courses/rust-book-ru")].find(
  (path): path is string => path !== undefined && existsSync(join(path, "book.toml")),
);
