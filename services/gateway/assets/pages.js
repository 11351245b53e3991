// Two pages of what the documents hold: the events of /asyncapi.json, and the errors of /openapi.json.
const element = (name, text, inside = []) => {
  const made = document.createElement(name);
  if (text !== '') made.textContent = text;
  made.append(...inside);
  return made;
};

const fetched = async (path) => (await fetch(path)).json();

const resolved = (whole, schema = {}) =>
  schema.$ref === undefined ? schema : whole.components.schemas[schema.$ref.split('/').at(-1)];

/** The properties of a schema, including those of the schemas that it combines. */
function propertiesOf(whole, schema) {
  const { properties = {}, allOf = [], oneOf = [] } = resolved(whole, schema);
  return Object.assign({}, ...[...allOf, ...oneOf.slice(0, 1)].map((one) => propertiesOf(whole, one)), properties);
}

const typeOf = (whole, schema) => {
  const { type, const: only, enum: values, format } = resolved(whole, schema);
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((one) => JSON.stringify(one)).join(' | ');
  return [[type ?? 'object'].flat().join(' | '), format ?? ''].join(' ').trim();
};

function table(whole, properties) {
  const rows = Object.entries(properties).map(([name, one]) =>
    element('tr', '', [
      element('td', '', [element('code', name)]),
      element('td', typeOf(whole, one)),
      element('td', one.description ?? resolved(whole, one).description ?? ''),
    ]),
  );
  return element('table', '', rows);
}

function shownEvents(asyncApi) {
  // Channels without an address are not subjects of events: deliveries, which have the same types, and test calls.
  const subjects = Object.values(asyncApi.channels).filter(({ address }) => address !== null);
  return subjects.flatMap((channel) => {
    const [reference] = Object.values(channel.messages);
    const message = asyncApi.components.messages[reference.$ref.split('/').at(-1)];
    const envelope = propertiesOf(asyncApi, message.payload);
    const heading = element('h2', message.name);
    heading.id = message.name;
    return [
      heading,
      element('p', message.description),
      element('p', '', ['Subject: ', element('code', channel.address)]),
      table(asyncApi, envelope),
      element('h3', 'data'),
      table(asyncApi, propertiesOf(asyncApi, envelope.data)),
    ];
  });
}

function shownErrors(openApi) {
  return Object.entries(openApi.components.schemas)
    .filter(([name]) => name.startsWith('error.'))
    .flatMap(([name, schema]) => {
      const code = name.slice('error.'.length);
      const heading = element('h2', code);
      heading.id = code;
      return [
        heading,
        element('p', schema.description),
        table(openApi, schema.properties),
        ...(schema.examples ?? []).map((example) => element('pre', JSON.stringify(example, undefined, 2))),
      ];
    });
}

const shown = document.getElementById('page');
const draw =
  shown.dataset.of === 'events'
    ? fetched('/asyncapi.json').then(shownEvents)
    : fetched('/openapi.json').then(shownErrors);
draw.then((elements) => {
  shown.replaceChildren(...elements);
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
});
