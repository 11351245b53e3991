/* global SwaggerUIBundle */
// Draws /openapi.json. Nothing is asked of another host: no validator badge, no address of a document in the query; requests go to the
// gateway that served this page, whatever address the document gives by default.
const ofThisGateway = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (spec) => update({ ...spec, servers: [{ url: '/', description: 'This gateway' }] }),
      },
    },
  },
});

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  plugins: [ofThisGateway],
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelRendering: 'model',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
});
