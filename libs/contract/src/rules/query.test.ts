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

describe('query parameters of lists', () => {
  it('limit is 20 by default, and may be 1 to 100', () => {
    expect(validateQuery(ListQuery, {}).limit).toBe(20);
    expect(validateQuery(ListQuery, { limit: '1' }).limit).toBe(1);
    expect(validateQuery(ListQuery, { limit: '100' }).limit).toBe(100);
  });

  it.each(['0', '101', '-1', '1.5', '1e1', '0x10', ' 5', '5 ', '', '05', '+5', '٥', 'five', '9007199254740993'])(
    'refuses limit %p with 400',
    (limit) => {
      const error = refused({ limit });
      expect([error.code, error.message.startsWith('limit')]).toEqual(['BadRequestError', true]);
    },
  );

  it('reads filters as strings, and adds the defaults', () => {
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

  it.each(['order', '__proto__', 'constructor', 'größe', 'a b'])('reads the parameter metadata[%s]', (name) => {
    const { metadata } = validateQuery(CallListQuery, { [`metadata[${name}]`]: '017' });
    expect(Object.entries(metadata ?? {})).toEqual([[name, '017']]);
  });

  it.each<[string, RawQuery]>([
    ['an unknown filter', { state: 'queued' }],
    ['a filter value that does not exist', { status: 'waiting' }],
    ['an empty filter', { agent_id: '' }],
    ['a repeated name', { status: ['queued', 'queued'] }],
    ['an object parameter as plain text', { metadata: 'x' }],
    ['an object parameter as plain text and with brackets', { metadata: 'x', 'metadata[order]': '17' }],
    ['an object parameter with brackets and as plain text', { 'metadata[order]': '17', metadata: 'x' }],
    ['two entries of an object parameter', { 'metadata[order]': '17', 'metadata[shop]': 'x' }],
    ['a repeated entry of an object parameter', { 'metadata[order]': ['17', '18'] }],
    ['an entry with an empty name', { 'metadata[]': '17' }],
    ['an entry name of 65 characters', { [`metadata[${'x'.repeat(65)}]`]: '17' }],
    ['an entry value of 257 characters', { 'metadata[order]': 'x'.repeat(257) }],
    ['brackets on a parameter that is not an object', { 'status[order]': 'queued' }],
    ['nested brackets', { 'metadata[order][id]': '17' }],
    ['a property of Object.prototype', { constructor: 'x' }],
    ['__proto__', JSON.parse('{"__proto__":"x"}') as RawQuery],
    ['U+0000', { cursor: 'a\0' }],
  ])('refuses %s with 400', (_, query) => expect(refused(query).status).toBe(400));

  it('accepts organization_id on every route', () => {
    expect(validateQuery(RouteQuery, { organization_id: 'org_x' }).organization_id).toBe('org_x');
  });
});
