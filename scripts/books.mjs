import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./server.mjs";

/** The course that the repository carries. */
export const demoBook = join(root, "demo");

/**
 * A book of real size, the Russian Rust book (104 pages), when it is at hand: in the folder that KURSO_TEST_BOOK names, or
 * beside the repository. It is not ours to carry along.
 */
export const rustBook = [process.env.KURSO_TEST_BOOK, resolve(root, "../shared/courses/rust-book-ru")].find(
  (path) => path !== undefined && existsSync(join(path, "book.toml")),
);
