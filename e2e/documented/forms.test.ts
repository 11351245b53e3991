import { compare, compareWithAny, isAsShown } from './forms';

const example = {
  call_id: 'call_01arz3ndektsv4rrffq69g5fav',
  to: '+15005550006',
  cost: 12,
  created_at: '2026-01-01T00:00:00Z',
  turns: [{ text: 'Hello', started_ms: 0 }],
  webhook_url: null,
};

describe('the comparison of a success with its example', () => {
  it('accepts other values of the same form', () => {
    const received = {
      ...example,
      call_id: 'call_01bx5zzkbkactav9wevgemmvrz',
      to: '+4930123456',
      webhook_url: 'https://a.example/hook',
      turns: [{ text: 'Bye', started_ms: 7 }],
    };
    expect(compare(example, received).differences).toEqual([]);
  });

  it.each([
    [
      'an id of another kind',
      { call_id: 'agt_01arz3ndektsv4rrffq69g5fav' },
      '.call_id: call_ in the example, agt_ received',
    ],
    ['a text instead of a number', { cost: '12' }, '.cost: number in the example, a text received'],
    ['a text instead of a time', { created_at: 'today' }, '.created_at: a time in the example, a text received'],
    ['an object instead of a list', { turns: {} }, '.turns: list in the example, object received'],
    [
      'another type in any entry',
      { turns: [{ text: 'a' }, { text: 1 }] },
      '.turns[].text: a text in the example, number received',
    ],
  ])('finds %s', (_, changed, expected) => {
    expect(compare(example, { ...example, ...changed }).differences).toEqual([expected]);
  });

  it('names what was compared: fields that both have, in lists if they have entries', () => {
    const compared = (received: unknown) => compare(example, received).compared;
    expect(compared({ cost: 1, turns: [] })).toEqual(['.cost']);
    expect(compared({ webhook_url: 'https://a.example', turns: [{ text: 'a' }, { text: 'b' }] })).toEqual([
      '.turns[].text',
    ]);
  });

  it('takes a reason with a number for a text, not for an id', () => {
    expect(compare({ reason_detail: 'example' }, { reason_detail: 'sip_404' }).differences).toEqual([]);
  });

  it('takes the longest name for a text, not for a hash', () => {
    expect(compare({ name: 'look_up' }, { name: 'a'.repeat(64) }).differences).toEqual([]);
    expect(compare({ sha256: 'e3b0c442'.repeat(8) }, { sha256: 'a' }).differences).toHaveLength(1);
  });

  it('uses the most similar entry of a list', () => {
    const tools = ['look_up', { type: 'builtin' }];
    expect(compare(tools, [{ type: 'webhook' }, 'other']).differences).toEqual([]);
    expect(compare(tools, [{ type: 1 }, 7]).differences).toHaveLength(2);
  });

  it('uses the most similar of several examples', () => {
    expect(compareWithAny([{ id: 1 }, { id: 'a' }], { id: 'b' })).toEqual({ differences: [], compared: ['.id'] });
    expect(compareWithAny([{ id: 1 }, { id: true }], { id: 'b' }).differences).toHaveLength(1);
  });
});

describe('whether a request is the example', () => {
  const shown = {
    agent_id: 'agt_1',
    text: 'Hello',
    tags: ['a'],
    nested: { knowledge_base_ids: ['kb_1'], muted: true },
  };

  it('also compares the forms of carriers', () => {
    const form = { MessageSid: 'SM1', From: '+14155550101', To: '+14155550100', Body: 'Hello' };
    expect(isAsShown(form, { ...form, MessageSid: 'SM2', To: '+14155550199', AccountSid: 'AC1' })).toBe(true);
    expect(isAsShown(form, { ...form, Body: 'Bye' })).toBe(false);
  });

  it.each([
    ['it is the same', {}, true],
    ['ids are those of other records', { agent_id: 'agt_2', nested: { knowledge_base_ids: [], muted: true } }, true],
    ['it names a record in addition', { from_number: '+15005550006' }, true],
    ['an id is missing', { agent_id: undefined }, false],
    ['a text is another one', { text: 'Bye' }, false],
    ['an entry is missing', { tags: [] }, false],
    ['an inner value is another one', { nested: { knowledge_base_ids: [], muted: false } }, false],
    ['it has a field in addition', { metadata: {} }, false],
  ])('%s', (_, changed, expected) => {
    expect(isAsShown(shown, { ...shown, ...changed })).toBe(expected);
  });
});
