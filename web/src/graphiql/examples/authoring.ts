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
  variables: async () => ({ courseId: (await ownPlace()).courseId, title: texts.moduleTitle }),
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
  variables: async () => ({ moduleId: (await ownPlace()).moduleId, title: texts.lessonTitle }),
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
    lessonId: (await ownPlace()).lessonId,
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
    lessonId: (await ownPlace()).lessonId,
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

interface Place {
  courseId: string;
  moduleId: string;
  lessonId: string;
}

/** Returns the newest course that the user may edit, its last module and that module's last lesson; empty where there is none. */
async function ownPlace(): Promise<Place> {
  const found = await ask<{
    myCourses: {
      nodes: { id: string; myRole: string; modules: { id: string; lessons: { id: string }[] }[] }[];
    };
  }>("{ myCourses(first: 10) { nodes { id myRole modules { id lessons { id } } } } }");
  const course = found?.myCourses.nodes.find(({ myRole }) => myRole === "OWNER" || myRole === "EDITOR");
  const module = course?.modules.at(-1);
  return {
    courseId: course?.id ?? "",
    moduleId: module?.id ?? "",
    lessonId: module?.lessons.at(-1)?.id ?? "",
  };
}

const documentOf = (...content: object[]) => ({ type: "doc", content });
