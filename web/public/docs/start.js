// The API's own description, readable and to be tried out. Everything comes from this server: finish-build.mjs puts the
// library beside this file.
document.documentElement.classList.toggle("dark-mode", localStorage.getItem("theme") === "dark");
SwaggerUIBundle({
  dom_id: "#docs",
  url: "/api/v1/openapi.json",
  deepLinking: true,
  filter: true,
  displayRequestDuration: true,
  // Each operation shows the schemas it needs; the list of all is closed at first.
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
