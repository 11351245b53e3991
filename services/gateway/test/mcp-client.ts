import type { TestGateway, Answer } from './test-gateway';

export const modernVersion = '2026-07-28';

/** The metadata that the newer protocol revision requires in every request. */
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

/** A client that sends JSON-RPC with the key only, without Accept and protocol revision. */
export class BareMcp {
  constructor(
    private readonly gateway: TestGateway,
    private readonly token: string,
    private readonly path = '/mcp',
  ) {}

  /** Repeats requests that are 503 because auth did not respond in time on a busy machine; nothing else was done then. */
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
