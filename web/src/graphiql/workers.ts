// Monaco checks and completes in workers. Made here and not by GraphiQL's helper, so that the build sees them and puts
// them among our own files: the content security policy allows no others.
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
