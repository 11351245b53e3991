import { dataClassOf, defaultEventTypes, eventDeclarations, eventTypes } from '@parley/contract';

const begin = '<!-- event types: written by npm run documents -->';
const end = '<!-- end of the event types -->';

/** Returns docs/events.md with its table of event types, generated from their declarations. @throws if the page does not contain the markers of the table */
export function withEventsTable(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/events.md lacks ${begin} or ${end}`);
  const rows = eventTypes.map((type) => {
    const { when, access, reserved } = eventDeclarations[type];
    const published = reserved ? `${when}; reserved, not published by this release` : when;
    const byDefault = (defaultEventTypes as readonly string[]).includes(type) ? 'yes' : '';
    const needs = access.subscribe === null ? '' : `\`${access.subscribe}\``;
    return `| \`${type}\` | ${published} | \`${dataClassOf(type).name}\` | ${byDefault} | \`${access.read}\` | ${needs} |`;
  });
  const head = [
    '| Type | Published when | `data` | By default | The log needs | A subscription needs |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  return `${before}${begin}\n\n${[...head, ...rows].join('\n')}\n\n${end}${after}`;
}
