import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./server.mjs";

/** The course that the repository carries. */
export const demoBook = join(root, "demo");

/**
 * A book of real size, the Russian Rust book (104 pages), when KURSO_TEST_COURSES names the folder of real courses
 * (docs/testing.md). The repository does not carry it.
 */
export const rustBook = [process.env.KURSO_TEST_COURSES]
  .map((courses) => courses && join(courses, "rust-book-ru"))
  .find((path) => path && existsSync(join(path, "book.toml")));
