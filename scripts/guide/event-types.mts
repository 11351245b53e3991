import { dataClassOf, defaultEventTypes, eventDeclarations, eventTypes } from '@parley/contract';

/** docs/reference/event-types.md. */
export function eventTypesPage(): string {
  const rows = eventTypes.map((type) => {
    const { when, access, reserved } = eventDeclarations[type];
    const published = reserved ? `${when}; reserved, not published by this release` : when;
    const byDefault = (defaultEventTypes as readonly string[]).includes(type) ? 'yes' : '';
    const needs = access.subscribe === null ? '' : `\`${access.subscribe}\``;
    return `| \`${type}\` | ${published} | \`${dataClassOf(type).name}\` | ${byDefault} | \`${access.read}\` | ${needs} |`;
  });
  return [
    '# Event types',
    '',
    'Every type with its resource in `data`, whether a subscription has it by default, and the scopes that reading the log and subscribing need. Their schemas are in [asyncapi.json](../asyncapi.json).',
    '',
    '| Type | Published when | `data` | By default | The log needs | A subscription needs |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
