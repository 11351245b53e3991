/* global SwaggerUIBundle, parleySamples */
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

// Sound that was answered is played as it came: the viewer would ask for its address again, with GET and without the key.
const withSound = ({ React }) => ({
  wrapComponents: {
    responseBody: (Original) => (props) => {
      const isSound = props.content instanceof Blob && /^audio\//.test(props.contentType ?? '');
      if (!isSound) return React.createElement(Original, props);
      return React.createElement(Sound, { content: props.content });
    },
  },
});

function Sound({ content }) {
  const { React } = globalThis.ui.getSystem();
  const [address] = React.useState(() => URL.createObjectURL(content));
  React.useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return React.createElement('audio', { controls: true, src: address });
}

// How an operation is called, above what it answers.
const withSamples = ({ React, specSelectors }) => {
  let known;
  const samplesOf = (path, method) => {
    const document = specSelectors.specJson();
    if (known?.document !== document) known = { document, plain: document.toJS() };
    return known.plain.paths[path]?.[method] === undefined ? undefined : parleySamples(known.plain, path, method);
  };
  const sample = (name, text) =>
    React.createElement(
      'div',
      { key: name, className: 'sample' },
      React.createElement('h5', {}, name),
      React.createElement('pre', {}, text),
    );
  return {
    wrapComponents: {
      responses: (Original) => (props) => {
        const found = samplesOf(props.path, props.method);
        return React.createElement(
          React.Fragment,
          {},
          found && sample('curl', found.curl),
          found && sample('Command line', found.commandLine),
          found && sample('TypeScript', found.typescript),
          React.createElement(Original, props),
        );
      },
      // What an error means stands in one place for all operations.
      response: (Original) => (props) =>
        /^[45]/.test(props.code)
          ? React.createElement(
              'tr',
              { className: 'response refusal' },
              React.createElement('td', { className: 'response-col_status' }, props.code),
              React.createElement(
                'td',
                { className: 'response-col_description', colSpan: 2 },
                String(props.response.get('description') ?? ''),
                ' ',
                React.createElement('a', { href: '/docs/errors' }, 'Errors'),
              ),
            )
          : React.createElement(Original, props),
    },
  };
};

globalThis.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  plugins: [ofThisGateway, withSound, withSamples],
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelRendering: 'model',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
});
