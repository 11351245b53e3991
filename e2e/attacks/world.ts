import { readFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { request } from 'undici';
import { Api } from '../api';
import { Customer } from '../customer';
import { Platform } from '../platform';
import { Writes } from './shown-once';

/** The keys that a root key may mint in a minute on the attacked platform. */
export const mintsPerMinute = 120;

/** An OTLP endpoint that keeps everything exported to it. */
async function spanSink(): Promise<{ endpoint: string; text: () => string; close: () => void }> {
  let text = '';
  const server = http.createServer((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    incoming.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, text: () => text, close: () => server.close() };
}

/** One platform for all families of attacks, with an organization that is attacked and one that belongs to the attackers. */
export class World {
  /** Secrets that only their owners may see, by description. */
  readonly canaries = new Map<string, string>();
  /** The texts of all refusals. */
  readonly refusals: string[] = [];
  /** The writes of secrets that succeeded. */
  readonly writes = new Writes();
  readonly anonymous: Api;
  readonly operator: Api;
  /** The results of requests that never end, which are sent first. */
  slow: Promise<string[]> = Promise.resolve([]);

  private constructor(
    readonly platform: Platform,
    readonly customer: Customer,
    readonly stranger: Customer,
    readonly sink: Awaited<ReturnType<typeof spanSink>>,
  ) {
    this.anonymous = new Api(() => platform.baseUrls, undefined);
    this.operator = this.anonymous.as(platform.development.operator_key);
    this.canaries.set('api key', customer.key);
    this.canaries.set('administrator', platform.development.admin_key);
    this.canaries.set('operator', platform.development.operator_key);
  }

  static async start(): Promise<World> {
    const sink = await spanSink();
    const platform = await Platform.start({
      console: true,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint,
        LOG_LEVEL: 'debug',
        REQUEST_TIMEOUT_SECONDS: '10',
        TEST_CALL_CONDUCTOR: 'parrot',
        // Twice the default, because all attacks have their keys from one operator.
        MINTS_PER_MINUTE: String(mintsPerMinute),
      },
    });
    return new World(platform, await Customer.create(platform), await Customer.create(platform), sink);
  }

  async stop(): Promise<void> {
    await this.customer.close();
    await this.stranger.close();
    await this.platform.stop();
    this.sink.close();
  }

  /** The address of the console. */
  get consoleUrl(): string {
    const pid = this.platform.processes.find(({ name }) => name === 'console')?.pid;
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return `http://127.0.0.1:${environment.find((line) => line.startsWith('PORT='))?.slice('PORT='.length)}`;
  }

  /** Signs the customer in at the console. @returns the cookie of the session */
  async consoleSession(): Promise<string> {
    const answer = await request(`${this.consoleUrl}/console/api/session`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'x-parley-console': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ key: this.customer.key }),
    });
    if (answer.statusCode !== 200) throw new Error(`signing in: ${answer.statusCode} ${await answer.body.text()}`);
    await answer.body.dump();
    return String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
  }

  /** The fields with which a body names the attacked organization and its project. */
  get home(): { organization_id: string; project_id: string } {
    return { organization_id: this.customer.organizationId, project_id: this.customer.projectId };
  }

  /** A client with a key that has these scopes, in the attacked organization or in another one. */
  async holding(
    scopes: readonly string[],
    organizationId = this.customer.organizationId,
  ): Promise<{ api: Api; keyId: string; token: string }> {
    const body = { organization_id: organizationId, name: scopes.join(' ').slice(0, 60), scopes };
    const minted = await this.operator.post('/v1/api-keys', body);
    if (minted.status !== 201) throw new Error(`minting: ${minted.status} ${JSON.stringify(minted.body)}`);
    const token = String(minted.body.token);
    this.canaries.set(String(minted.body.key_id), token);
    return { api: this.anonymous.as(token), keyId: String(minted.body.key_id), token };
  }

  /** Creates another project in an organization. */
  async project(name: string, organizationId = this.customer.organizationId): Promise<{ project_id: string }> {
    const { status, body } = await this.operator.post(`/v1/organizations/${organizationId}/projects`, { name });
    if (status !== 201) throw new Error(`project: ${status} ${JSON.stringify(body)}`);
    return { project_id: String(body.project_id) };
  }

  revoke(keyId: string): Promise<{ status: number }> {
    return this.operator.post(`/v1/api-keys/${keyId}/revoke`);
  }

  /** Creates a key with the customer's own key and returns the response. */
  async mint(body: object): Promise<Record<string, unknown>> {
    const answer = await this.customer.api.post('/v1/api-keys', {
      organization_id: this.customer.organizationId,
      name: 'k',
      scopes: ['agents:read'],
      ...body,
    });
    if (answer.status === 201) this.canaries.set(String(answer.body.key_id), String(answer.body.token));
    else this.refusals.push(JSON.stringify(answer.body));
    return { ...answer.body, status: answer.status };
  }

  /** Sends text on a separate connection, and resolves with everything received until the server has closed it. */
  raw(text: string | Buffer): Promise<string> {
    const { hostname, port } = new URL(this.platform.baseUrls[0] ?? '');
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = net.connect(Number(port), hostname, () => socket.write(text));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('end', () => socket.end());
      socket.on('close', () => resolve(answer));
      // A server that closes a connection with unread input may reset it after its response.
      socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    });
  }

  async rawOutcome(text: string | Buffer): Promise<[number, unknown]> {
    const answer = await this.raw(text);
    this.refusals.push(answer);
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    return [Number(answer.split(' ')[1]), (JSON.parse(body) as { error: unknown }).error];
  }

  async outcome(path: string, options: { method?: string; body?: string | Buffer; headers?: object } = {}) {
    const answer = await request(this.platform.baseUrls[0] + path, {
      method: (options.method ?? 'GET') as 'GET',
      headers: { authorization: `Bearer ${this.customer.key}`, ...options.headers },
      body: options.body,
    });
    const text = await answer.body.text();
    this.refusals.push(text);
    return [answer.statusCode, (JSON.parse(text) as { error?: string }).error];
  }

  async agents(): Promise<string> {
    return JSON.stringify((await this.customer.api.get('/v1/agents?limit=100')).body);
  }
}

/** The parts of a refusal that tests compare: not the message, unless the contract specifies it. */
export const refusal = ({ status, body }: { status: number; body: Record<string, unknown> }): [number, unknown] => [
  status,
  body.error,
];
