import type { ApolloCache, Reference } from "@apollo/client";
import { indexOf, type Tree } from "./tree";

export type Typename = "Course" | "Module" | "Lesson" | "Page";

/** Writes the lists of children that differ between two trees to the normalised cache. */
export function writeOutline(cache: ApolloCache, before: Tree, after: Tree) {
  cache.batch({
    update(cache) {
      if (ids(before.modules) !== ids(after.modules))
        writeList(cache, "Course", after.id, "modules", "Module", after.modules);
      const then = indexOf(before);
      for (const module of after.modules) {
        const was = then.get(module.id);
        if (was?.item === module) continue;
        if (was?.kind !== "module" || ids(was.item.lessons) !== ids(module.lessons))
          writeList(cache, "Module", module.id, "lessons", "Lesson", module.lessons);
        for (const lesson of module.lessons) {
          const was = then.get(lesson.id);
          if (was?.item === lesson) continue;
          if (was?.kind !== "lesson" || ids(was.item.pages) !== ids(lesson.pages))
            writeList(cache, "Lesson", lesson.id, "pages", "Page", lesson.pages);
        }
      }
    },
  });
}

/** Writes single fields of one cached object. */
export function writeFields(
  cache: ApolloCache,
  typename: Typename,
  id: string,
  fields: Record<string, unknown>,
) {
  cache.modify({
    id: `${typename}:${id}`,
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, () => value])),
  });
}

function writeList(
  cache: ApolloCache,
  typename: Typename,
  id: string,
  field: string,
  childType: Typename,
  children: readonly { id: string }[],
) {
  const references = children.map(({ id }): Reference => ({ __ref: `${childType}:${id}` }));
  writeFields(cache, typename, id, { [field]: references });
}

function ids(items: readonly { id: string }[]): string {
  return items.map((item) => item.id).join();
}
