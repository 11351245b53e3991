import { badRequest } from '@parley/errors';
import type { AnyRoute } from '@parley/contract';

/** Groups of tools by resource. A client can restrict its tool list to some of them. */
export const toolsets = [
  'agents',
  'voice-stack',
  'publications',
  'variables',
  'workflow',
  'calls',
  'chats',
  'messages',
  'campaigns',
  'knowledge',
  'simulations',
  'agent-endpoints',
] as const;

export type Toolset = (typeof toolsets)[number];

/** The selection in the URL, for example `POST /mcp?toolsets=...&output_schemas=true`. */
export interface Selection {
  /** In the order of `toolsets`; empty: all tools. */
  readonly toolsets: readonly Toolset[];
  readonly outputSchemas: boolean;
}

/** The toolset of a route, determined by its path: `resource` is the first segment under /v1, `part` the segment after the id. */
export function toolsetOf({ path }: AnyRoute): Toolset | undefined {
  const [, , resource = '', , part = ''] = path.split('/');
  switch (resource) {
    case 'agents':
      if (part === 'template-messages') return 'messages';
      if (part === 'knowledge-bases') return 'knowledge';
      if (part === 'chat-sessions') return 'chats';
      return toolsets.find((name) => name === part) ?? 'agents';
    case 'agent-catalog':
      return 'agents';
    case 'voices':
      return 'voice-stack';
    case 'trial-calls':
    case 'analytics':
    case 'usage':
    case 'coverage':
      return 'calls';
    case 'chat-sessions':
      return 'chats';
    case 'message-templates':
      return 'messages';
    case 'knowledge-bases':
    case 'knowledge-documents':
      return 'knowledge';
    case 'simulation-suites':
    case 'simulation-runs':
      return 'simulations';
    case 'deliveries':
      return 'agent-endpoints';
    default:
      return toolsets.find((name) => name === resource);
  }
}

const isToolset = (name: string): name is Toolset => toolsets.some((known) => known === name);

const parameters = ['toolsets', 'output_schemas'];

/** @throws AppError BadRequestError for an unknown parameter, toolset or value; its message lists the valid ones */
export function parseSelection(url: string): Selection {
  const mark = url.indexOf('?');
  if (mark === -1) return everyTool;
  const query = new URLSearchParams(url.slice(mark + 1));
  for (const name of query.keys()) {
    if (!parameters.includes(name))
      throw badRequest(`${short(name)} is not a parameter of /mcp; use toolsets or output_schemas`);
  }
  const outputs = query.getAll('output_schemas');
  if (outputs.some((value) => value !== 'true' && value !== 'false')) {
    throw badRequest('output_schemas must be true or false');
  }
  const named = query
    .getAll('toolsets')
    .flatMap((list) => list.split(','))
    .map((name) => name.trim());
  const unknown = named.find((name) => !isToolset(name));
  if (unknown !== undefined) throw badRequest(`no toolset ${short(unknown)}; choose from ${toolsets.join(', ')}`);
  return { toolsets: toolsets.filter((name) => named.includes(name)), outputSchemas: outputs.at(-1) === 'true' };
}

const everyTool: Selection = { toolsets: [], outputSchemas: false };

const short = (text: string): string => JSON.stringify(text.slice(0, 64));
