// How an operation of the document is called: with curl, with the command line and with the TypeScript SDK, from the example of its body.
const parleySamples = (() => {
  const inDocument = (document, part) =>
    part?.$ref === undefined
      ? part
      : part.$ref
          .slice(2)
          .split('/')
          .reduce((inside, name) => inside?.[name.replaceAll('~1', '/')], document);

  const camelCase = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());

  /** What a parameter is shown with: an id by its prefix. */
  const valueOf = ({ description = '', schema = {} }) => {
    const prefix = /`([a-z]+_)…`/.exec(description)?.[1];
    if (prefix !== undefined) return `${prefix}01kc`;
    if (schema.enum !== undefined) return schema.enum[0];
    return schema.type === 'integer' ? (schema.minimum ?? 1) : '1';
  };

  const exampleOf = (document, { schema, example, examples }) => {
    const shown = inDocument(document, schema)?.examples?.[0];
    return example ?? Object.values(examples ?? {})[0]?.value ?? shown;
  };

  const bodyOf = (document, operation) => {
    const [media, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    if (media === undefined) return undefined;
    return { media, value: exampleOf(document, content), required: operation.requestBody.required === true };
  };

  const searchOf = (query) => {
    const search = query.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&');
    return search === '' ? '' : `?${search}`;
  };

  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

  function curl(method, path, query, body) {
    const lines = [`curl -X ${method.toUpperCase()} "$PARLEY_URL${path}${searchOf(query)}"`];
    lines.push('-H "Authorization: Bearer $PARLEY_API_KEY"');
    if (body !== undefined) {
      lines.push(`-H 'Content-Type: ${body.media}'`);
      if (body.media === 'application/json') lines.push(`-d ${quoted(JSON.stringify(body.value))}`);
      else if (body.value === undefined) lines.push('--data-binary @file');
      else
        for (const [name, value] of Object.entries(body.value))
          lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
    }
    return lines.join(' \\\n  ');
  }

  function commandLine(method, path, query, body) {
    const lines = [`parley api ${method.toUpperCase()} ${quoted(`${path}${searchOf(query)}`)}`];
    if (body === undefined) return lines[0];
    if (body.media === 'application/json') lines.push(`-d ${quoted(JSON.stringify(body.value))}`);
    else {
      const form = body.value === undefined ? '@file' : String(new URLSearchParams(body.value));
      lines.push(`--content-type ${body.media}`, `-d ${quoted(form)}`);
    }
    return lines.join(' \\\n  ');
  }

  const property = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

  function literal(value, indent = '    ') {
    if (Array.isArray(value)) return `[${value.map((one) => literal(one, indent)).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const fields = Object.entries(value).map(
      ([name, one]) => `${indent}  ${property(name)}: ${literal(one, `${indent}  `)},\n`,
    );
    return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
  }

  const record = (parameters) =>
    `{ ${parameters.map(({ name, value }) => `${name}: ${JSON.stringify(value)}`).join(', ')} }`;

  function typescript(operation, path, query, body) {
    const parts = [];
    if (path.length > 0) parts.push(`path: ${record(path.map(({ name, value }) => ({ name, value: String(value) })))}`);
    if (query.length > 0) parts.push(`query: ${record(query)}`);
    if (body !== undefined)
      parts.push(`body: ${body.value === undefined ? "new Blob(['…'])" : literal(body.value, '  ')}`);
    const given = parts.length === 0 ? '' : `{\n${parts.map((part) => `  ${part},\n`).join('')}}`;
    return [
      "import { Parley } from '@parley/sdk';",
      '',
      "const parley = new Parley({ apiKey: 'tai_…' });",
      `const answer = await parley.${camelCase(operation.tags[0])}.${operation.operationId}(${given});`,
    ].join('\n');
  }

  /** The samples of an operation. */
  return (document, template, method) => {
    const item = document.paths[template];
    const operation = item[method];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      .map((one) => inDocument(document, one))
      .map((one) => ({ ...one, value: valueOf(one) }));
    const path = parameters.filter((one) => one.in === 'path');
    const query = parameters.filter((one) => one.in === 'query' && one.required === true);
    const body = bodyOf(document, operation);
    const filled = path.reduce((text, { name, value }) => text.replace(`{${name}}`, value), template);
    return {
      curl: curl(method, filled, query, body),
      commandLine: commandLine(method, filled, query, body),
      typescript: typescript(operation, path, query, body),
    };
  };
})();
