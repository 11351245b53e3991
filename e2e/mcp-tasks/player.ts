import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { until } from '../until';
import type { RecordedCall } from './recorded';

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  /** Only if the address requires it. */
  readonly outputSchema?: object;
}

interface Page {
  readonly tools: readonly ListedTool[];
  readonly nextCursor?: string;
}

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The value at a dotted path. */
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inside, step) => (isObject(inside) ? inside[step] : undefined), value);

/** Whether a value has all that is expected of it; of a list, its first items. */
function has(value: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return value === expected;
  if (Array.isArray(expected) && expected.length === 0) return Array.isArray(value) && value.length === 0;
  return isObject(value) && Object.entries(expected).every(([name, one]) => has(value[name], one));
}

/** Plays recorded conversations as a model would: with no more than tools/list says, arguments that the schemas allow, and what results show. */
export class Player {
  private constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly tools: ReadonlyMap<string, ListedTool>,
    private readonly known: Map<string, unknown>,
  ) {}

  static async connect(url: string, key: string, known: Readonly<Record<string, unknown>>): Promise<Player> {
    const tools = new Map<string, ListedTool>();
    const player = new Player(url, key, tools, new Map(Object.entries(known)));
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await player.ask<Page>('tools/list', cursor === undefined ? {} : { cursor });
      for (const tool of page.tools) tools.set(tool.name, tool);
      cursor = page.nextCursor;
    }
    return player;
  }

  /** @throws Error with the name of the tool if the result is not the recorded one */
  async play(call: RecordedCall): Promise<void> {
    const expected = this.filledIn(call.until ?? call.shows ?? {});
    const result =
      call.until === undefined
        ? await this.call(call)
        : await until(`${call.tool} shows ${JSON.stringify(expected)}`, async () => {
            const found = await this.call(call);
            return has(found, expected) ? found : undefined;
          });
    if (!has(result, expected))
      throw new Error(`${call.tool}: ${JSON.stringify(result)} does not show ${JSON.stringify(expected)}`);
    for (const [name, path] of Object.entries(call.keeps ?? {})) {
      const value = at(result, path);
      if (value === undefined) throw new Error(`${call.tool}: the result has no ${path}`);
      this.known.set(name, value);
    }
  }

  private async call({ tool: name, arguments: given = {}, refused }: RecordedCall): Promise<Record<string, unknown>> {
    const tool = this.tools.get(name);
    if (tool === undefined) throw new Error(`tools/list has no ${name}`);
    const filled = this.filledIn(given);
    if (refused === undefined) this.hold(`the arguments of ${name}`, tool.inputSchema, filled);
    const result = await this.ask<ToolResult>('tools/call', { name, arguments: filled });
    const text = result.content[0]?.text ?? '';
    if (refused !== undefined) {
      const { error } = result.isError === true ? (JSON.parse(text) as { error?: string }) : {};
      if (error !== refused) throw new Error(`${name}: ${text} in place of ${refused}`);
      return {};
    }
    if (result.isError === true || result.structuredContent === undefined) throw new Error(`${name}: ${text}`);
    if (tool.outputSchema !== undefined)
      this.hold(`the result of ${name}`, tool.outputSchema, result.structuredContent);
    return { ...result.structuredContent, _meta: result._meta };
  }

  private hold(what: string, schema: object, value: unknown): void {
    if (!ajv.validate(schema, value)) throw new Error(`${what}: ${ajv.errorsText()} in ${JSON.stringify(value)}`);
  }

  /** The same with known values in place of their names. */
  private filledIn(value: unknown): unknown {
    if (typeof value === 'string') {
      const name = /^\{\{(\w+)\}\}$/.exec(value)?.[1];
      if (name === undefined) return value;
      if (!this.known.has(name)) throw new Error(`no result had ${name}`);
      return this.known.get(name);
    }
    if (Array.isArray(value)) return value.map((one) => this.filledIn(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.filledIn(one)]));
  }

  private async ask<T>(method: string, params: object): Promise<T> {
    const answer = await fetch(this.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await answer.json()) as { result?: T; error?: unknown };
    if (result === undefined) throw new Error(`${method}: ${answer.status} ${JSON.stringify(error)}`);
    return result;
  }
}
