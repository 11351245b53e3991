/* global SwaggerUIBundle */
// Draws /openapi.json. Nothing is asked of another host: no validator badge, no address of a document in the query.
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelRendering: 'model',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
});
