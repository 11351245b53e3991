import type { WorkflowDefinition, WorkflowEdge, WorkflowNode } from '@parley/contract';
import { checkNodeIds, workflowFaults } from './workflow-validation.rules';

const start: WorkflowNode = { id: 'start', type: 'start' };
const end: WorkflowNode = { id: 'end', type: 'end' };
const say: WorkflowNode = { id: 'say', type: 'say', text: 'Hello' };
const ask: WorkflowNode = { id: 'ask', type: 'ask', text: 'Who?', variable: 'who' };
const transfer: WorkflowNode = { id: 'transfer', type: 'transfer', to: '+14155550100' };
const tool: WorkflowNode = { id: 'tool', type: 'tool', tool: 'look_up' };
const is = (change: Partial<Extract<WorkflowNode, { type: 'condition' }>> = {}): WorkflowNode => ({
  id: 'if',
  type: 'condition',
  variable: 'who',
  operator: 'equals',
  value: 'Ada',
  ...change,
});
const path = (...ids: string[]): WorkflowEdge[] => ids.slice(1).map((to, index) => ({ from: ids[index] ?? '', to }));
const branch = (from: string, to: string, name: 'yes' | 'no'): WorkflowEdge => ({ from, to, branch: name });
const graph = (nodes: WorkflowNode[], edges: WorkflowEdge[]): WorkflowDefinition => ({ nodes, edges });

describe('validation of workflows', () => {
  it.each<[string, WorkflowDefinition]>([
    ['start and end', graph([start, end], path('start', 'end'))],
    ['a transfer as the last node', graph([start, transfer], path('start', 'transfer'))],
    [
      'every type of node',
      graph(
        [start, say, ask, tool, is(), transfer, end],
        [...path('start', 'say', 'ask', 'tool', 'if'), branch('if', 'transfer', 'yes'), branch('if', 'end', 'no')],
      ),
    ],
    [
      'a loop with an exit',
      graph(
        [start, ask, is(), end],
        [...path('start', 'ask', 'if'), branch('if', 'end', 'yes'), branch('if', 'ask', 'no')],
      ),
    ],
    [
      'a loop over a tool, whose result may change',
      graph(
        [start, tool, is(), end],
        [...path('start', 'tool', 'if'), branch('if', 'end', 'yes'), branch('if', 'tool', 'no')],
      ),
    ],
    [
      'two branches that join again',
      graph(
        [start, is(), say, { ...say, id: 'other' }, end],
        [
          ...path('start', 'if'),
          branch('if', 'say', 'yes'),
          branch('if', 'other', 'no'),
          ...path('say', 'other', 'end'),
        ],
      ),
    ],
    [
      'is_set without a value',
      graph(
        [start, is({ operator: 'is_set', value: undefined }), end],
        [...path('start', 'if'), branch('if', 'end', 'yes'), branch('if', 'end', 'no')],
      ),
    ],
  ])('a valid workflow: %s', (_, definition) => expect(workflowFaults(definition, ['look_up'])).toEqual([]));

  it.each<[string, string, WorkflowDefinition]>([
    ['start_missing', 'workflow', graph([end], [])],
    ['start_missing', 'workflow', graph([], [])],
    [
      'start_repeated',
      'node:second',
      graph([start, { id: 'second', type: 'start' }, end], [...path('start', 'end'), ...path('second', 'end')]),
    ],
    ['edge_dangling', 'edge:0', graph([start, end], [{ from: 'start', to: 'nowhere' }])],
    ['edge_dangling', 'edge:1', graph([start, end], [...path('start', 'end'), { from: 'nowhere', to: 'end' }])],
    ['edge_into_start', 'edge:1', graph([start, say, end], [...path('start', 'say', 'start')])],
    ['branch_misplaced', 'edge:0', graph([start, end], [branch('start', 'end', 'yes')])],
    [
      'branch_misplaced',
      'edge:1',
      graph([start, is(), end], [...path('start', 'if', 'end'), branch('if', 'end', 'no')]),
    ],
    ['ways_on', 'node:start', graph([start, end], [])],
    ['ways_on', 'node:say', graph([start, say, end], [...path('start', 'say', 'end'), ...path('say', 'end')])],
    ['ways_on', 'node:end', graph([start, say, end], [...path('start', 'end', 'say')])],
    ['ways_on', 'node:if', graph([start, is(), end], [...path('start', 'if'), branch('if', 'end', 'yes')])],
    [
      'branch_missing',
      'node:if',
      graph([start, is(), end], [...path('start', 'if'), branch('if', 'end', 'yes'), branch('if', 'end', 'yes')]),
    ],
    [
      'value_missing',
      'node:if',
      graph(
        [start, is({ value: undefined }), end],
        [...path('start', 'if'), branch('if', 'end', 'yes'), branch('if', 'end', 'no')],
      ),
    ],
    ['tool_unknown', 'node:tool', graph([start, { ...tool, tool: 'other' }, end], path('start', 'tool', 'end'))],
    ['unreachable', 'node:say', graph([start, say, end], [...path('start', 'end'), ...path('say', 'end')])],
    [
      'round_without_ask',
      'node:say',
      graph(
        [start, say, is(), end],
        [...path('start', 'say', 'if'), branch('if', 'end', 'yes'), branch('if', 'say', 'no')],
      ),
    ],
    [
      'round_without_ask',
      'node:if',
      graph([start, is(), end], [...path('start', 'if'), branch('if', 'end', 'yes'), branch('if', 'if', 'no')]),
    ],
    ['endless', 'workflow', graph([start, say, ask], [...path('start', 'say', 'ask', 'say')])],
  ])('reports %s at %s', (code, scope, definition) => {
    expect(workflowFaults(definition, ['look_up'])).toContainEqual(expect.objectContaining({ code, scope }));
  });

  it('a duplicate node id throws an error that names the second node', () => {
    expect(() => checkNodeIds(graph([start, say, { ...say }], []))).toThrow(/^draft\.nodes\[2\]\.id /);
    expect(() => checkNodeIds(graph([start, say], []))).not.toThrow();
  });
});
