// Monaco validates and completes in workers. They are created here and not by GraphiQL's helper, so that the build bundles
// them: the content security policy allows only files of this origin.
import EditorWorker from "monaco-editor/esm/vs/editor/editor.worker.js?worker";
import JsonWorker from "monaco-editor/esm/vs/language/json/json.worker.js?worker";
import GraphqlWorker from "monaco-graphql/esm/graphql.worker.js?worker";

self.MonacoEnvironment = {
  getWorker: (_id, label) => {
    if (label === "graphql") return new GraphqlWorker();
    if (label === "json") return new JsonWorker();
    return new EditorWorker();
  },
};
