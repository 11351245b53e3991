import type { TestGateway, Answer } from './test-gateway';

export const modernVersion = '2026-07-28';

/** What the newer revision demands of every request. */
export const envelope = (version = modernVersion) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
});

export const rpc = (method: string, params?: object, id = 1) => ({ jsonrpc: '2.0', id, method, params });

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
  readonly outputSchema?: { readonly type: string };
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** Bare JSON-RPC: no Accept, no revision, nothing but the key. */
export class BareMcp {
  constructor(
    private readonly gateway: TestGateway,
    private readonly token: string,
    private readonly path = '/mcp',
  ) {}

  /** Asks again while a loaded machine keeps auth from answering in time: that is 503 before anything else was done. */
  async post(body: object | string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    for (;;) {
      const answer = await this.gateway.request('POST', this.path, { token: this.token, body, headers });
      if (answer.status !== 503) return answer;
    }
  }

  async list(cursor?: string): Promise<{ readonly tools: readonly ListedTool[]; readonly nextCursor?: string }> {
    const answer = await this.post(rpc('tools/list', cursor === undefined ? undefined : { cursor }));
    return answer.body.result as { tools: ListedTool[]; nextCursor?: string };
  }

  async call(name: string, given: object = {}): Promise<ToolResult> {
    const answer = await this.post(rpc('tools/call', { name, arguments: given }));
    return answer.body.result as ToolResult;
  }
}

/** The text of a refusal, as the body that REST would have answered. */
export const refusal = ({ content }: ToolResult): Record<string, unknown> =>
  JSON.parse(content[0]?.text ?? '') as Record<string, unknown>;
