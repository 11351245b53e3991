import path from 'node:path';
import { limits, parseJsonStrict, validate, type DemoKind } from '@parley/contract';
import type { WrittenDocument } from '@parley/proto/telephony';
import {
  documentOf,
  readBody,
  serviceCaller,
  type BodyBudget,
  type ControlStateMirror,
  type OutgoingContext,
} from '@parley/runtime';
import { AppError } from '@parley/errors';
import type { Request, RequestHandler, Response } from 'express';
import type { AddressLimit } from '../auth';
import type { Clients } from '../clients';
import { fileResource, sendContent, type Resource } from '../docs';
import {
  allowOnly,
  documentAnswer,
  exactRouter,
  identityEncoding,
  requestContextOf,
  type PrefixRouters,
} from '../http';
import { refuseNewWork } from '../routes';
import type { VoicePage } from '../test-page';

const folder = path.resolve(__dirname, '../../assets/chat');
const token = 'dmo_[A-Za-z0-9_-]{43}';
/** A visitor's body is one message. */
const bodyMs = 10_000;
/** Longer than the agent's reply may take. */
const deadlineMs = 30_000;

export interface DemoParts {
  readonly clients: Clients;
  readonly controlState: ControlStateMirror;
  readonly limit: AddressLimit;
  readonly bodyBudget: BodyBudget;
  readonly callPage: VoicePage;
}

/** The path of a page contains its token, so it is neither stored by caches nor indexed. */
const pageHeaders = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** Other sites may embed the chat page, because it has no cookies and no rights but those of its link. */
const chatPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  'frame-ancestors *',
  "base-uri 'none'",
].join('; ');

/** One request of a visitor: the group of its address, its token and the rest of its path. */
interface Visitor {
  readonly token: string;
  readonly address: string;
  readonly chatSessionId: string;
  readonly context: OutgoingContext;
}

type Act = (clients: Clients, visitor: Visitor, body: Buffer) => Promise<WrittenDocument>;

const options = { deadlineMs, idempotent: false } as const;

/** The body of a request that has no fields; it may be absent. */
class NoFields {}

const withoutFields =
  (act: Act): Act =>
  (clients, visitor, body) => {
    if (body.length > 0) validate(NoFields, parseJsonStrict(body));
    return act(clients, visitor, body);
  };

const startChat = withoutFields(({ telephony }, { token, address, context }) =>
  telephony.startDemoChat({ token, kind: 'chat', address }, context, options),
);
const takeTurn: Act = ({ telephony }, { token, chatSessionId, context }, body) =>
  telephony.takeDemoTurn({ token, chatSessionId, body: documentOf('ChatTurnCreate', body) }, context, options);
const endChat = withoutFields(({ telephony }, { token, chatSessionId, context }) =>
  telephony.endDemoChat({ token, chatSessionId, body: undefined }, context, options),
);
const startCall = withoutFields(({ telephony }, { token, address, context }) =>
  telephony.startDemoCall({ token, kind: 'voice', address }, context, options),
);

/** The public pages of demos (docs/demos.md), and the requests that these pages make. They need no key: the token of the link opens one agent. */
export function demoRouters(parts: DemoParts): PrefixRouters {
  const chat = exactRouter();
  for (const name of ['page.css', 'page.js']) {
    const resource = fileResource(path.join(folder, name));
    chat
      .route(`/chat/${name}`)
      .all(named('demo-page'), allowOnly(['GET', 'HEAD']))
      .get(async (request, response) => sendContent(request, response, await resource(), chatPolicy));
  }
  const chatPage = {
    page: fileResource(path.join(folder, 'page.html')),
    policy: chatPolicy,
    permissions: noPermissions,
  };
  const session = `^/chat/(${token})/sessions`;
  chat.route(pathLike(`^/chat/(${token})$`)).all(...servePage(parts, 'chat', chatPage));
  chat
    .route(pathLike(`${session}$`))
    .all(...serveAct(parts, 'start-demo-chat', startChat, { status: 201, newWork: true }));
  chat
    .route(pathLike(`${session}/(chs_[0-9a-z]{26})/turns$`))
    .all(...serveAct(parts, 'take-demo-turn', takeTurn, { status: 201, newWork: true }));
  chat
    .route(pathLike(`${session}/(chs_[0-9a-z]{26})/end$`))
    .all(...serveAct(parts, 'end-demo-chat', endChat, { status: 200, newWork: false }));
  const voice = exactRouter();
  voice.route(pathLike(`^/demo/(${token})$`)).all(...servePage(parts, 'voice', parts.callPage));
  voice
    .route(pathLike(`^/demo/(${token})/calls$`))
    .all(...serveAct(parts, 'start-demo-call', startCall, { status: 201, newWork: true }));
  return new Map([
    ['/chat', chat],
    ['/demo', voice],
  ]);
}

const noPermissions = { 'Permissions-Policy': 'microphone=(), camera=(), geolocation=(), payment=(), usb=()' };

const pathLike = (pattern: string): RegExp => new RegExp(pattern);

/** Names the route for log lines and metrics. */
const named =
  (id: string): RequestHandler =>
  (_request, response, next) => {
    requestContextOf(response).route = id;
    next();
  };

interface Page {
  readonly page: Resource;
  readonly policy: string;
  readonly permissions: Readonly<Record<string, string>>;
}

/** A page is served only while its link is open: otherwise a visitor could not tell a wrong link from an agent that does not respond. */
const servePage = (parts: DemoParts, kind: DemoKind, { page, policy, permissions }: Page): RequestHandler[] => [
  named('demo-page'),
  allowOnly(['GET', 'HEAD']),
  async (request, response) => {
    const { token, address, context } = await identifyVisitor(parts, request, response);
    await parts.clients.telephony.checkDemo({ token, kind, address }, context);
    sendContent(request, response, await page(), policy, { ...permissions, ...pageHeaders });
  },
];

interface Acting {
  readonly status: 200 | 201;
  readonly newWork: boolean;
}

const serveAct = (parts: DemoParts, id: string, act: Act, { status, newWork }: Acting): RequestHandler[] => [
  named(id),
  allowOnly(['POST']),
  async (request, response, next) => {
    response.locals.visitor = await identifyVisitor(parts, request, response);
    next();
  },
  identityEncoding,
  jsonOnly,
  async (request, response) => {
    const visitor = response.locals.visitor as Visitor;
    const account = parts.bodyBudget.open({ address: visitor.address });
    const sent = await readBody(request, response, { limit: limits.smallBodyBytes, account, withinMs: bodyMs });
    refuseNewWork({ newWork }, {}, parts.controlState);
    const { body } = documentAnswer((await act(parts.clients, visitor, sent)).document);
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
      'Cache-Control': 'no-store',
      'X-Request-Id': requestContextOf(response).requestId,
    });
    response.end(body);
  },
];

/**
 * These requests have no key that a foreign page would not have. Browsers send this content type for pages of other origins only if the server permits it
 * (CORS), which this one does not: otherwise any page could use up a demo by the addresses of its visitors.
 */
const jsonOnly: RequestHandler = (request, _response, next) => {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new AppError('UnsupportedMediaTypeError', 'send the body as Content-Type: application/json');
  }
  next();
};

/** @throws AppError rate_limited */
async function identifyVisitor({ limit }: DemoParts, request: Request, response: Response): Promise<Visitor> {
  const address = await limit.admit(request);
  const exchange = requestContextOf(response);
  const [, , token = '', , chatSessionId = ''] = exchange.path.split('/');
  const { requestId, traceparent, signal } = exchange;
  return { token, address, chatSessionId, context: { requestId, traceparent, signal, caller: serviceCaller } };
}
