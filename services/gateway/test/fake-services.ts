import { allRoutes, tokenChecksum } from '@parley/contract';
import { unauthorized } from '@parley/errors';
import { AuthServiceService, ControlState, Principal, type AuthServiceServer } from '@parley/proto/auth';
import { KnowledgeServiceService, type KnowledgeServiceServer } from '@parley/proto/knowledge';
import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import { WebhooksServiceService, type WebhooksServiceServer } from '@parley/proto/webhooks';
import { PublicCall, type PublicResult } from '@parley/service';
import {
  createLogger,
  grpcService,
  HealthDefinition,
  type Access,
  newId,
  publicGrpcService,
  type CallContext,
  type GrpcService,
  type HealthServer,
  type UnaryDefinition,
  type UnaryHandlers,
} from '@parley/runtime';
import { inProcessGrpc } from '@parley/testing';

/** One call that reached a service. */
export interface Received {
  readonly rpc: string;
  readonly request: Record<string, unknown>;
  readonly context: CallContext;
}

const byTheClock = new Set(['getControlState', 'recordKeyUsage']);

type Handler = (request: never, context: CallContext) => Promise<object>;
type Handlers<Server> = Partial<UnaryHandlers<Server>>;

export interface Overrides {
  auth?: Handlers<AuthServiceServer>;
  telephony?: Handlers<TelephonyServiceServer>;
  webhooks?: Handlers<WebhooksServiceServer>;
  knowledge?: Handlers<KnowledgeServiceServer>;
  /** Answers of forwarded routes, by operation id. */
  forwarded?: Readonly<Record<string, (call: PublicCall) => Promise<PublicResult>>>;
}

/** Shared by all tests, because each logger on stdout adds a listener for the end of the process. */
const silent = createLogger({ service: 'fake-services', level: 'silent' });

export const organization = newId('org');
export const foreignOrganization = newId('org');
export const project = newId('prj');
export const foreignProject = newId('prj');

/** The document of a typed answer if a test sets no other. */
const sampleDocument = { json: Buffer.from('{"sample":true}'), schema: 'Sample' };

/** The answer of routes with a media type other than JSON. */
export const sampleBytes = Buffer.from([0x52, 0x49, 0x46, 0x46]);

const sampleAnswer = (empty: object): object => {
  if ('document' in empty) return { ...empty, document: sampleDocument };
  return 'mediaType' in empty ? { ...empty, mediaType: 'audio/*', sha256: 'sample' } : empty;
};

/** The services behind the gateway, on one address: they record their calls and respond as the test configured. */
/** The health service of the library does not check callers. */
const fromGateway: Access = { peers: ['gateway'], callers: 'service' };

export class FakeServices {
  readonly received: Received[] = [];
  overrides: Overrides = {};
  controlState: ControlState = ControlState.fromPartial({ epoch: '1' });
  private readonly principals = new Map<string, Principal>();
  private server: { address: string; stop(): Promise<void> } | undefined;

  /** What the health check answers. */
  serving = true;

  async start(): Promise<string> {
    this.server = await inProcessGrpc(
      [
        grpcService<HealthServer>(HealthDefinition, { check: async () => ({ serving: this.serving }) }, fromGateway),
        this.service<AuthServiceServer>(AuthServiceService, () => ({ ...this.auth(), ...this.overrides.auth })),
        this.service<TelephonyServiceServer>(TelephonyServiceService, () => this.overrides.telephony),
        this.service<WebhooksServiceServer>(WebhooksServiceService, () => this.overrides.webhooks),
        this.service<KnowledgeServiceServer>(KnowledgeServiceService, () => this.overrides.knowledge),
        this.publicService(),
      ],
      { log: silent },
    );
    return this.server.address;
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  /** A valid token of that principal; by default a customer of `organization` with every customer scope. */
  token(principal: Partial<Principal> = {}): string {
    const serial = String(this.principals.size).padStart(32, 'x');
    const prefix = principal.kind === 'gateway' ? 'tgw_' : 'tai_';
    const token = prefix + serial + tokenChecksum(prefix + serial);
    const standard = {
      keyId: newId('key'),
      organizationId: organization,
      kind: 'customer',
      scopes: ['all'],
      epoch: '1',
    };
    this.principals.set(token, Principal.fromPartial({ ...standard, ...principal }));
    return token;
  }

  operatorToken(scopes: string[] = ['all', 'operator:read', 'operator:write', 'operator:*']): string {
    return this.token({ kind: 'operator', organizationId: '', scopes });
  }

  /** A gateway token of `organization`. */
  gatewayToken(): string {
    const scopes = ['calls:authorize', 'gateways:report', 'artifacts:upload', 'number-rules:read'];
    return this.token({ kind: 'gateway', scopes });
  }

  /** Makes the token unknown to auth. */
  forget(token: string): void {
    this.principals.delete(token);
  }

  /** Runs with other answers, and restores the previous ones afterwards. */
  async withOverrides(overrides: Overrides, work: () => Promise<void>): Promise<void> {
    const before = this.overrides;
    this.overrides = overrides;
    await work().finally(() => (this.overrides = before));
  }

  /** The calls that requests caused so far, without periodic ones, which occur at any time. */
  get asked(): Received[] {
    return this.received.filter(({ rpc }) => !byTheClock.has(rpc));
  }

  /** Calls of one method so far. */
  callsOf(rpc: string): Received[] {
    return this.received.filter((call) => call.rpc === rpc);
  }

  private auth(): Handlers<AuthServiceServer> {
    return {
      verifyToken: async ({ token }) => {
        const principal = this.principals.get(token);
        if (principal === undefined) throw unauthorized();
        return principal;
      },
      verifyTokens: async ({ tokens }) => ({
        verifications: tokens.map((token) => ({ principal: this.principals.get(token) })),
      }),
      getControlState: async () => this.controlState,
      resolveProject: async ({ projectId }) => ({
        organizationId: projectId === foreignProject ? foreignOrganization : organization,
      }),
    };
  }

  /** Validates like the owning service, then returns the answer that the test set, or a sample. Requests are recorded by their operation id. */
  private publicService(): GrpcService {
    return publicGrpcService(async (request, context) => {
      const route = allRoutes.find(({ id }) => id === request.route);
      if (route?.service === undefined) throw new Error(`${request.route} is not forwarded`);
      this.received.push({ rpc: route.id, request: { ...request }, context });
      const call = new PublicCall(route, request, context, false);
      const queryError = call.queryError();
      if (route.byId !== undefined && queryError !== undefined) await this.overrides.forwarded?.[route.id]?.(call);
      if (queryError !== undefined) throw queryError;
      if (route.body !== undefined) call.body();
      const answer = await this.overrides.forwarded?.[route.id]?.(call);
      return call.answer(
        answer ?? { body: route.answer.media === 'application/json' ? '{"sample":true}' : sampleBytes },
      );
    });
  }

  private service<Server>(
    definition: UnaryDefinition<Server>,
    reported: () => Handlers<Server> | undefined,
  ): GrpcService {
    const handlers: Record<string, Handler> = {};
    for (const rpc of Object.keys(definition) as (keyof UnaryDefinition<Server> & string)[]) {
      handlers[rpc] = async (request, context) => {
        this.received.push({ rpc, request, context });
        const handler = reported()?.[rpc] as Handler | undefined;
        const empty = definition[rpc].responseDeserialize(Buffer.alloc(0)) as object;
        return handler === undefined ? sampleAnswer(empty) : handler(request, context);
      };
    }
    return grpcService<Server>(definition, handlers as UnaryHandlers<Server>);
  }
}
