import { texts } from "../texts";
import { ask, type Example } from "./example";

export const createCourse: Example = {
  title: texts.createCourse,
  text: texts.createCourseText,
  query: `mutation CreateCourse($title: String!) {
  createCourse(input: { title: $title }) {
    course {
      id
      title
      myRole
    }
  }
}
`,
  variables: async () => ({ title: texts.courseTitle }),
};

export const createModule: Example = {
  title: texts.createModule,
  text: texts.createModuleText,
  query: `mutation CreateModule($courseId: ID!, $title: String!) {
  createModule(input: { courseId: $courseId, title: $title }) {
    module {
      id
      title
      position
    }
  }
}
`,
  variables: async () => ({ courseId: await own("courseId"), title: texts.moduleTitle }),
};

export const createLesson: Example = {
  title: texts.createLesson,
  text: texts.createLessonText,
  query: `mutation CreateLesson($moduleId: ID!, $title: String!) {
  createLesson(input: { moduleId: $moduleId, title: $title }) {
    lesson {
      id
      title
      position
    }
  }
}
`,
  variables: async () => ({ moduleId: await own("moduleId"), title: texts.lessonTitle }),
};

export const createPage: Example = {
  title: texts.createPage,
  text: texts.createPageText,
  query: `mutation CreatePage($lessonId: ID!, $title: String, $content: Document) {
  createPage(input: { lessonId: $lessonId, title: $title, content: $content }) {
    page {
      id
      title
      content
    }
  }
}
`,
  variables: async () => ({
    lessonId: await own("lessonId"),
    title: texts.pageTitle,
    content: documentOf({ type: "paragraph", content: [{ type: "text", text: texts.pageText }] }),
  }),
};

export const uploadToPage: Example = {
  title: texts.upload,
  text: texts.uploadText,
  accept: "*/*",
  query: `mutation AddFile($lessonId: ID!, $title: String, $content: Document) {
  createPage(input: { lessonId: $lessonId, title: $title, content: $content }) {
    page {
      id
      title
      content
    }
  }
}
`,
  variables: async ({ url, filename, content_type, size }) => ({
    lessonId: await own("lessonId"),
    title: filename,
    content: documentOf(
      content_type.startsWith("image/")
        ? { type: "image", attrs: { src: url, alt: filename } }
        : { type: "attachment", attrs: { src: url, filename, size, contentType: content_type } },
    ),
  }),
};

export const importCourse: Example = {
  title: texts.importCourse,
  text: texts.importCourseText,
  accept: ".zip,.txt,.gift,.imscc,.md,.html,.docx,.gz",
  query: `mutation ImportCourse($fileId: ID!) {
  importCourse(input: { fileId: $fileId, preview: false }) {
    job {
      id
      state
    }
  }
}

query MyImports {
  myImports(first: 5) {
    nodes {
      id
      filename
      state
      failure
      courseId
    }
  }
}
`,
  variables: async ({ id }) => ({ fileId: id }),
};

/** The step that creates each place. */
const MADE_BY = { courseId: createCourse, moduleId: createModule, lessonId: createLesson };

/**
 * Returns the newest course that the user may edit, its last module or that module's last lesson. Without one it fails with the step to run
 * first; a visitor, whose courses are unknown, gets an empty id to fill in.
 */
async function own(place: keyof typeof MADE_BY): Promise<string> {
  const found = await ask<{
    myCourses: {
      nodes: { id: string; myRole: string; modules: { id: string; lessons: { id: string }[] }[] }[];
    };
  }>("{ myCourses(first: 10) { nodes { id myRole modules { id lessons { id } } } } }");
  const course = found?.myCourses.nodes.find(({ myRole }) => myRole === "OWNER" || myRole === "EDITOR");
  const module = course?.modules.at(-1);
  const places = { courseId: course?.id, moduleId: module?.id, lessonId: module?.lessons.at(-1)?.id };
  if (found && !places[place]) throw new Error(texts.runFirst(MADE_BY[place].title));
  return places[place] ?? "";
}

const documentOf = (...content: object[]) => ({ type: "doc", content });
