declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    domNode: HTMLElement;
    url: string;
    deepLinking: boolean;
    filter: boolean;
    displayRequestDuration: boolean;
    defaultModelsExpandDepth: number;
    validatorUrl: string | null;
    requestInterceptor: (request: { url: string; headers: Record<string, string> }) => unknown;
  }
  export default function SwaggerUI(options: Options): unknown;
}
