import type { KeyCollection, WorkflowDefinition, WorkflowEdge, WorkflowNode } from '@parley/contract';
import { workflowReply, type WorkflowPlace } from './workflow-reply';

/** Nodes in a sequence, plus the given edges. */
function workflow(nodes: readonly WorkflowNode[], edges: readonly WorkflowEdge[] = []): WorkflowDefinition {
  const line = nodes.flatMap(({ id, type }, index): WorkflowEdge[] => {
    const next = nodes[index + 1];
    const leads = next !== undefined && type !== 'condition' && !edges.some(({ from }) => from === id);
    return leads && type !== 'end' && type !== 'transfer' ? [{ from: id, to: next.id }] : [];
  });
  return { nodes: [...nodes], edges: [...line, ...edges] };
}

const start: WorkflowNode = { id: 'start', type: 'start' };
const end: WorkflowNode = { id: 'end', type: 'end', text: 'Goodbye, {{name}}.' };
const say = (id: string, text: string): WorkflowNode => ({ id, type: 'say', text });
const ask = (id: string, text: string, variable: string): WorkflowNode => ({ id, type: 'ask', text, variable });
const begun: WorkflowPlace = { asked: null, variables: { brand: 'Acme' } };

describe('replies of a published workflow', () => {
  const greeter = workflow([
    start,
    say('hello', 'This is {{brand}}.'),
    ask('who', 'Who are you?', 'name'),
    say('nice', 'Hello, {{name}}.'),
    end,
  ]);

  it('say the texts up to and including a question, and wait for the answer', () => {
    expect(workflowReply(greeter, begun, 'Hello?')).toEqual({
      place: { asked: 'who', variables: { brand: 'Acme' } },
      text: 'This is Acme. Who are you?',
      endsCall: false,
      keys: {},
    });
  });

  const choosing = (values: readonly (string | undefined)[], keys?: KeyCollection, variable = 'choice') => {
    const conditions = values.map((value, nth) => ({
      ...{ id: `is${nth}`, type: 'condition' as const, variable },
      ...(value === undefined ? { operator: 'is_set' as const } : { operator: 'equals' as const, value }),
    }));
    const nodes = [start, { ...ask('which', 'Press a key.', 'choice'), ...(keys && { keys }) }, ...conditions, end];
    const edges = nodes.slice(0, -1).flatMap((node, nth) => {
      const edge = { from: node.id, to: nodes[nth + 1]?.id ?? '' };
      return node.type === 'condition'
        ? [
            { ...edge, branch: 'no' as const },
            { from: node.id, to: end.id, branch: 'yes' as const },
          ]
        : [edge];
    });
    return workflowReply({ nodes, edges }, begun, '').keys;
  };

  it.each<[string, KeyCollection | undefined, KeyCollection]>([
    ['compares the answer with one digit', choosing(['1']), { max_digits: 1 }],
    ['compares the answer with single keys', choosing(['1', '2', '*']), { max_digits: 1 }],
    ['compares the answer with a longer text too', choosing(['1', '12']), {}],
    ['asks whether there is an answer', choosing(['1', undefined]), {}],
    ['compares another variable', choosing(['1'], undefined, 'other'), {}],
    ['does not compare the answer', choosing([]), {}],
    ['has rules of the question', choosing(['1'], { max_digits: 3, end_key: null }), { max_digits: 3, end_key: null }],
  ])('keys of a question, if the workflow %s', (_, keys, expected) => {
    expect(keys).toEqual(expected);
  });

  it('store the answer in a variable and continue after the question', () => {
    const { place } = workflowReply(greeter, begun, '');
    expect(workflowReply(greeter, place, ' Ada ')).toMatchObject({
      place: { variables: { brand: 'Acme', name: 'Ada' } },
      text: 'Hello, Ada. Goodbye, Ada.',
      endsCall: true,
    });
    // A discarded speculative reply left no state.
    expect(workflowReply(greeter, place, 'Bob').text).toBe('Hello, Bob. Goodbye, Bob.');
  });

  it.each<['equals' | 'not_equals' | 'contains' | 'is_set' | 'is_not_set', string | undefined, unknown, 'yes' | 'no']>([
    ['equals', 'yes', 'Yes.', 'yes'],
    ['equals', 'yes', 'yes please', 'no'],
    ['equals', '5', 5, 'yes'],
    ['equals', 'true', true, 'yes'],
    ['equals', 'yes', undefined, 'no'],
    ['not_equals', 'yes', 'No', 'yes'],
    ['not_equals', 'yes', ' YES! ', 'no'],
    ['contains', 'invoice', 'It is about an Invoice, please.', 'yes'],
    ['contains', 'invoice', 'It is about a parcel.', 'no'],
    ['is_set', undefined, 'x', 'yes'],
    ['is_set', undefined, '', 'no'],
    ['is_set', undefined, null, 'no'],
    ['is_not_set', undefined, undefined, 'yes'],
    ['is_not_set', undefined, 0, 'no'],
  ])('condition %s %j for the value %j takes the branch %s', (operator, value, held, branch) => {
    const nodes: WorkflowNode[] = [
      start,
      { id: 'if', type: 'condition', variable: 'held', operator, ...(value === undefined ? {} : { value }) },
      { id: 'on', type: 'end', text: 'yes' },
      { id: 'off', type: 'end', text: 'no' },
    ];
    const definition = workflow(nodes, [
      { from: 'if', to: 'off', branch: 'no' },
      { from: 'if', to: 'on', branch: 'yes' },
    ]);
    expect(workflowReply(definition, { asked: null, variables: { held } }, '').text).toBe(branch);
  });

  it('may repeat a question', () => {
    const definition = workflow(
      [
        start,
        ask('sure', 'Are you sure?', 'sure'),
        { id: 'if', type: 'condition', variable: 'sure', operator: 'equals', value: 'yes' },
        end,
      ],
      [
        { from: 'if', to: 'sure', branch: 'no' },
        { from: 'if', to: 'end', branch: 'yes' },
      ],
    );
    const first = workflowReply(definition, begun, '');
    const again = workflowReply(definition, first.place, 'Hm.');
    expect(again).toMatchObject({ text: 'Are you sure?', endsCall: false });
    expect(workflowReply(definition, again.place, 'Yes.').endsCall).toBe(true);
  });

  it('call a tool with arguments in which variables are inserted, and continue when it has ended', () => {
    const look: WorkflowNode = { id: 'look', type: 'tool', tool: 'look_up', arguments: { name: '{{name}}', count: 2 } };
    const byTool = workflow([start, say('wait', 'One moment.'), look, say('bye', 'Bye.'), end]);
    const first = workflowReply(byTool, { asked: null, variables: { name: 'Ada' } }, '');
    expect(first).toMatchObject({
      text: 'One moment.',
      endsCall: false,
      call: { name: 'look_up', arguments: { name: 'Ada', count: 2 } },
    });
    expect(workflowReply(byTool, first.place, '')).toMatchObject({
      text: expect.stringContaining('Bye.'),
      endsCall: true,
    });
  });

  it('end the call at end_call, and after a failed transfer', () => {
    const over: WorkflowNode = { id: 'over', type: 'tool', tool: 'end_call' };
    const byTool = workflow([start, say('bye', 'Bye.'), over, end]);
    const reply = workflowReply(byTool, begun, '');
    expect(reply).toMatchObject({ text: 'Bye.', endsCall: true });
    expect(reply).not.toHaveProperty('call');
    const transfer = workflow([start, say('wait', 'One moment.'), { id: 'to', type: 'transfer', to: '+15005550100' }]);
    const asked = workflowReply(transfer, begun, '');
    expect(asked).toMatchObject({
      text: 'One moment.',
      endsCall: false,
      call: { name: 'transfer_call', arguments: { to: '+15005550100', kind: 'cold' } },
    });
    expect(workflowReply(transfer, asked.place, '')).toEqual({ place: asked.place, text: '', endsCall: true });
  });

  it('transfer warm to a SIP address with an announcement, in which variables are inserted and which is cut to its limit', () => {
    const node = { id: 'to', type: 'transfer', to: 'sip:desk@pbx.example', kind: 'warm' } as const;
    const announced = (announcement: string): unknown =>
      workflowReply(workflow([start, { ...node, announcement }]), { asked: null, variables: { name: 'Ada' } }, '').call
        ?.arguments;
    expect(announced('{{name}} calls.')).toEqual({
      to: 'sip:desk@pbx.example',
      kind: 'warm',
      announcement: 'Ada calls.',
    });
    expect(announced(`${'x'.repeat(999)}{{name}}`)).toMatchObject({ announcement: `${'x'.repeat(999)}A` });
  });

  it('throw an error for a cycle without a question', () => {
    const round = workflow([start, say('a', 'a'), say('b', 'b')], [{ from: 'b', to: 'a' }]);
    expect(() => workflowReply(round, begun, '')).toThrow(/loops/);
  });
});
