import { AppError } from '@parley/errors';
import { CallListQuery } from '../objects/call';
import { ListQuery, RouteQuery } from '../objects/page';
import { validateQuery, type RawQuery } from './query';

function refused(query: RawQuery): AppError {
  try {
    validateQuery(CallListQuery, query);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('accepted');
}

describe('lists', () => {
  it('limit is 20 when absent, as sent from 1 to 100', () => {
    expect(validateQuery(ListQuery, {}).limit).toBe(20);
    expect(validateQuery(ListQuery, { limit: '1' }).limit).toBe(1);
    expect(validateQuery(ListQuery, { limit: '100' }).limit).toBe(100);
  });

  it.each(['0', '101', '-1', '1.5', '1e1', '0x10', ' 5', '5 ', '', '05', '+5', '٥', 'five', '9007199254740993'])(
    'limit %p is 400',
    (limit) => {
      const error = refused({ limit });
      expect([error.code, error.message.startsWith('limit')]).toEqual(['BadRequestError', true]);
    },
  );

  it('filters are read as they stand', () => {
    expect({
      ...validateQuery(CallListQuery, { status: 'queued', direction: 'inbound', agent_id: '5', cursor: 'x' }),
    }).toEqual({
      status: 'queued',
      direction: 'inbound',
      agent_id: '5',
      cursor: 'x',
      limit: 20,
      sort: '-created_at',
      summary: false,
    });
  });

  it.each(['order', '__proto__', 'constructor', 'größe', 'a b'])('an entry of an object is read: %s', (name) => {
    const { metadata } = validateQuery(CallListQuery, { [`metadata[${name}]`]: '017' });
    expect(Object.entries(metadata ?? {})).toEqual([[name, '017']]);
  });

  it.each<[string, RawQuery]>([
    ['an unknown filter', { state: 'queued' }],
    ['a filter value that does not exist', { status: 'waiting' }],
    ['an empty filter', { agent_id: '' }],
    ['a repeated name', { status: ['queued', 'queued'] }],
    ['an object as a text', { metadata: 'x' }],
    ['an object as a text and by its entries', { metadata: 'x', 'metadata[order]': '17' }],
    ['an object by its entries and as a text', { 'metadata[order]': '17', metadata: 'x' }],
    ['two entries where one is taken', { 'metadata[order]': '17', 'metadata[shop]': 'x' }],
    ['an entry that is repeated', { 'metadata[order]': ['17', '18'] }],
    ['an entry without a name', { 'metadata[]': '17' }],
    ['a name of an entry that is too long', { [`metadata[${'x'.repeat(65)}]`]: '17' }],
    ['a value of an entry that is too long', { 'metadata[order]': 'x'.repeat(257) }],
    ['an entry of a field that has none', { 'status[order]': 'queued' }],
    ['an entry inside an entry', { 'metadata[order][id]': '17' }],
    ['a property of Object.prototype', { constructor: 'x' }],
    ['a prototype', JSON.parse('{"__proto__":"x"}') as RawQuery],
    ['U+0000', { cursor: 'a\0' }],
  ])('%s is 400', (_, query) => expect(refused(query).status).toBe(400));

  it('every route takes organization_id', () => {
    expect(validateQuery(RouteQuery, { organization_id: 'org_x' }).organization_id).toBe('org_x');
  });
});
