import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Parser } from '@asyncapi/parser';
import { eventTypes } from '../events';
import { asyncApiDocument } from './document';

describe('the AsyncAPI document', () => {
  const document = asyncApiDocument() as { channels: Record<string, { address: string | null }> };

  it('is the one kept in docs/asyncapi.json (npm run documents writes it)', () => {
    const kept = readFileSync(path.resolve(__dirname, '../../../../docs/asyncapi.json'), 'utf8');
    expect(JSON.parse(kept)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it.each(eventTypes)('docs/events.md lists %s (npm run documents writes it)', (type) => {
    const page = readFileSync(path.resolve(__dirname, '../../../../docs/events.md'), 'utf8');
    expect(page).toContain(`| \`${type}\` `);
  });

  it('is accepted by the public parser', async () => {
    const { document: parsed, diagnostics } = await new Parser().parse(JSON.stringify(document));
    expect(
      diagnostics
        .filter(({ severity }) => Number(severity) === 0)
        .map(({ code, message, path: at }) => ({ code, message, at })),
    ).toEqual([]);
    expect(parsed).toBeDefined();
  });

  it('6: has every declared event type and no other', () => {
    const addresses = Object.values(document.channels).flatMap(({ address }) => (address === null ? [] : [address]));
    expect(addresses).toEqual(eventTypes.map((type) => `events.v1.{organization_id}.${type}`));
  });
});
