import {
  transferAnnouncement,
  type AskNode,
  type ConditionNode,
  type KeyCollection,
  type ToolNode,
  type TransferNode,
  type WorkflowDefinition,
  type WorkflowNode,
} from '@parley/contract';
import { renderTemplate } from './render-template';

/** The state of a call in its workflow. */
export interface WorkflowPlace {
  /** The ask node whose answer is pending, or the tool node whose tool is running; null if the workflow has not begun. */
  readonly asked: string | null;
  /** The variables of the call, and the answers so far. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface WorkflowReply {
  /** The state after this reply. */
  readonly place: WorkflowPlace;
  /** Everything that the agent says until it waits again or the call ends. */
  readonly text: string;
  readonly endsCall: boolean;
  /** The tool to call after the text. The workflow continues when it has ended. */
  readonly call?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  /** How keys that answer the question are collected, in place of the setting of the agent. */
  readonly keys?: KeyCollection;
}

interface Walk {
  readonly said: string[];
}

/**
 * The next reply of a call with a workflow: from the start or from the answered question to the next question or the end. Pure. A cycle without a question or
 * an end is a fault of the workflow.
 * @param heard what the caller has said since the agent spoke
 */
export function workflowReply(definition: WorkflowDefinition, place: WorkflowPlace, heard: string): WorkflowReply {
  const asked = definition.nodes.find(({ id }) => id === place.asked);
  const answered = asked?.type === 'ask' ? { ...place.variables, [asked.variable]: heard.trim() } : place.variables;
  const walk: Walk = { said: [] };
  // The transfer failed and no node follows: the call ends.
  if (asked?.type === 'transfer') return { place, text: '', endsCall: true };
  let node = asked === undefined ? startOf(definition) : after(definition, asked);
  for (let steps = 0; steps <= definition.nodes.length; steps += 1) {
    const end = meet(node, answered, walk);
    if (end !== undefined) {
      const variables = answered;
      return {
        place: { asked: end.waits ? node.id : place.asked, variables },
        text: walk.said.filter((text) => text !== '').join(' '),
        endsCall: !end.waits,
        ...(node.type === 'tool' && end.waits ? { call: callOf(node, variables) } : {}),
        ...(node.type === 'transfer' ? { call: transferOf(node, variables) } : {}),
        ...(node.type === 'ask' ? { keys: keysFor(definition, node) } : {}),
      };
    }
    node = after(definition, node, node.type === 'condition' ? branchOf(node, answered) : undefined);
  }
  throw new Error('the workflow loops without asking or ending');
}

/** Adds the text and action of a node. @returns a value if the walk stops at the node */
function meet(node: WorkflowNode, variables: WorkflowPlace['variables'], walk: Walk): { waits: boolean } | undefined {
  switch (node.type) {
    case 'start':
    case 'condition':
      return undefined;
    case 'say':
      walk.said.push(renderTemplate(node.text, variables));
      return undefined;
    case 'ask':
      walk.said.push(renderTemplate(node.text, variables));
      return { waits: true };
    case 'tool':
      return { waits: node.tool !== 'end_call' };
    case 'transfer':
      return { waits: true };
    case 'end':
      walk.said.push(renderTemplate(node.text ?? '', variables));
      return { waits: false };
  }
}

/** Strings in the arguments are templates. */
function callOf({ tool, arguments: given = {} }: ToolNode, variables: WorkflowPlace['variables']) {
  const rendered = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? renderTemplate(value, variables) : value,
  ]);
  return { name: tool, arguments: Object.fromEntries(rendered) as Record<string, unknown> };
}

/** The announcement is a template, which may become longer than the platform accepts. */
function transferOf({ to, kind = 'cold', announcement = '' }: TransferNode, variables: WorkflowPlace['variables']) {
  const said = Array.from(renderTemplate(announcement, variables)).slice(0, transferAnnouncement.max).join('');
  return { name: 'transfer_call', arguments: { to, kind, ...(said !== '' && { announcement: said }) } };
}

/** If the workflow compares the answer only with single keys, one key is complete. */
function keysFor(definition: WorkflowDefinition, asked: AskNode): KeyCollection {
  const values: unknown[] = [];
  let node = after(definition, asked);
  for (let steps = 0; steps < definition.nodes.length && node.type === 'condition'; steps += 1) {
    if (node.variable !== asked.variable) break;
    values.push(node.operator === 'equals' ? node.value : undefined);
    node = after(definition, node, 'no');
  }
  const single = values.length > 0 && values.every((value) => /^[0-9*#]$/.test(heardAs(value)));
  return { ...(single && { max_digits: 1 }), ...asked.keys };
}

function startOf({ nodes }: WorkflowDefinition): WorkflowNode {
  const start = nodes.find(({ type }) => type === 'start');
  if (start === undefined) throw new Error('the workflow has no start');
  return start;
}

function after({ nodes, edges }: WorkflowDefinition, { id }: WorkflowNode, branch?: 'yes' | 'no'): WorkflowNode {
  const edge = edges.find(
    (candidate) => candidate.from === id && (branch === undefined || candidate.branch === branch),
  );
  const next = nodes.find((node) => node.id === edge?.to);
  if (next === undefined) throw new Error(`the node ${id} has no outgoing edge`);
  return next;
}

/** Normalizes answers for comparison: lower case, without surrounding space and without the full stop that a transcriber adds. */
const heardAs = (value: unknown): string =>
  (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '')
    .trim()
    .replace(/[.!?,;:。！？]+$/u, '')
    .toLowerCase();

function branchOf({ variable, operator, value }: ConditionNode, variables: WorkflowPlace['variables']): 'yes' | 'no' {
  const held = heardAs(Object.hasOwn(variables, variable) ? variables[variable] : undefined);
  const wanted = heardAs(value);
  const holds: Record<typeof operator, () => boolean> = {
    equals: () => held === wanted,
    not_equals: () => held !== wanted,
    contains: () => held.includes(wanted),
    is_set: () => held !== '',
    is_not_set: () => held === '',
  };
  return holds[operator]() ? 'yes' : 'no';
}
