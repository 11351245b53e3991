import {
  nameOfTool,
  type StoredTool,
  type WorkflowDefinition,
  type WorkflowFault,
  type WorkflowNode,
} from '@parley/contract';
import { badRequest } from '@parley/errors';

/** The number of outgoing edges of each node type. Those of a condition are distinguished by their branch; an end node has none. */
const waysOn: Readonly<Record<WorkflowNode['type'], number>> = {
  start: 1,
  say: 1,
  ask: 1,
  tool: 1,
  condition: 2,
  transfer: 0,
  end: 0,
};

/** @throws 400 for duplicate node ids: edges would be ambiguous, so such a draft is not even stored */
export function checkNodeIds({ nodes }: WorkflowDefinition): void {
  const seen = new Set<string>();
  for (const [index, { id }] of nodes.entries()) {
    if (seen.has(id)) throw badRequest(`draft.nodes[${index}].id is a duplicate: ${id}`);
    seen.add(id);
  }
}

/**
 * Returns the faults that prevent a workflow from being published; empty if there are none. A valid workflow has one start node, edges only between existing
 * nodes, for each node the number of outgoing edges of its type, only nodes that can be reached from the start, an end node that can be reached, no cycle
 * without a question or a tool, and only tools that the agent has.
 */
export function workflowFaults(definition: WorkflowDefinition, tools: readonly StoredTool[]): WorkflowFault[] {
  const byId = new Map(definition.nodes.map((node) => [node.id, node]));
  const starts = definition.nodes.filter(({ type }) => type === 'start');
  return [
    ...(starts.length === 0 ? [fault('start_missing', 'workflow', 'a workflow must have exactly one start node')] : []),
    ...starts
      .slice(1)
      .map(({ id }) => fault('start_repeated', `node:${id}`, 'a workflow must have exactly one start node')),
    ...edgeFaults(definition, byId),
    ...definition.nodes.flatMap((node) => nodeFaults(node, definition, tools)),
    ...reachFaults(definition, byId, starts[0]),
    ...roundFaults(definition),
  ];
}

const fault = (code: string, scope: string, detail: string): WorkflowFault => ({ code, scope, detail });

type Nodes = ReadonlyMap<string, WorkflowNode>;

function edgeFaults({ edges }: WorkflowDefinition, byId: Nodes): WorkflowFault[] {
  return edges.flatMap(({ from, to, branch }, index) => {
    const scope = `edge:${index}`;
    const dangling = [from, to].filter((id) => !byId.has(id));
    const faults = dangling.map((id) => fault('edge_dangling', scope, `there is no node ${id}`));
    if (byId.get(to)?.type === 'start')
      faults.push(fault('edge_into_start', scope, 'no edge may lead to the start node'));
    const isCondition = byId.get(from)?.type === 'condition';
    if (byId.has(from) && isCondition !== (branch !== undefined))
      faults.push(
        fault(
          'branch_misplaced',
          scope,
          'an edge must have a branch if it leaves a condition, and otherwise must not have one',
        ),
      );
    return faults;
  });
}

function nodeFaults(node: WorkflowNode, { edges }: WorkflowDefinition, tools: readonly StoredTool[]): WorkflowFault[] {
  const scope = `node:${node.id}`;
  const leaving = edges.filter(({ from }) => from === node.id);
  const expected = waysOn[node.type];
  const faults: WorkflowFault[] = [];
  if (leaving.length !== expected)
    faults.push(fault('ways_on', scope, `${node.type} must have ${expected} outgoing edges, not ${leaving.length}`));
  else if (node.type === 'condition' && new Set(leaving.map(({ branch }) => branch)).size !== 2)
    faults.push(
      fault('branch_missing', scope, 'a condition must have one outgoing edge with branch yes and one with branch no'),
    );
  if (node.type === 'tool' && !tools.some((tool) => nameOfTool(tool) === node.tool))
    faults.push(fault('tool_unknown', scope, `the agent has no tool ${node.tool}`));
  if (node.type === 'condition' && needsValue(node.operator) && node.value === undefined)
    faults.push(fault('value_missing', scope, `${node.operator} requires a value`));
  return faults;
}

const needsValue = (operator: string): boolean => operator !== 'is_set' && operator !== 'is_not_set';

function reachFaults(
  { nodes, edges }: WorkflowDefinition,
  byId: Nodes,
  start: WorkflowNode | undefined,
): WorkflowFault[] {
  if (start === undefined) return [];
  const reached = new Set([start.id]);
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  for (const id of reached) for (const to of next.get(id) ?? []) if (byId.has(to)) reached.add(to);
  const unreachable = nodes
    .filter(({ id, type }) => !reached.has(id) && type !== 'start')
    .map(({ id }) => fault('unreachable', `node:${id}`, 'the node cannot be reached from the start'));
  const ends = nodes.some(({ id, type }) => reached.has(id) && waysOn[type] === 0);
  return ends ? unreachable : [...unreachable, fault('endless', 'workflow', 'no end or transfer can be reached')];
}

/** A cycle without a question or tool changes no variable, so it would run forever. */
function roundFaults({ nodes, edges }: WorkflowDefinition): WorkflowFault[] {
  const round = new Set(nodes.filter(({ type }) => type === 'say' || type === 'condition').map(({ id }) => id));
  // Repeatedly removes nodes without a predecessor or successor among the rest: they are not part of a cycle.
  for (let before = -1; before !== round.size;) {
    before = round.size;
    const inside = edges.filter(({ from, to }) => round.has(from) && round.has(to));
    const [leaving, entered] = [new Set(inside.map(({ from }) => from)), new Set(inside.map(({ to }) => to))];
    for (const id of round) if (!leaving.has(id) || !entered.has(id)) round.delete(id);
  }
  return [...round].map((id) =>
    fault('round_without_ask', `node:${id}`, 'a loop through this node contains no ask and no tool node'),
  );
}
