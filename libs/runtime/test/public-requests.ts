import type { AppError } from '@parley/errors';
import { PublicRequests, PublicServiceService, type PublicAnswer } from '@parley/proto/public';
import {
  publicClient,
  publicGrpcService,
  type Caller,
  type Closable,
  type OutgoingContext,
  type PublicCallOptions,
  type PublicClient,
  type PublicHandler,
  type PublicParameters,
  type RunningGrpcServer,
} from '../src';
import { closing, identity, serveAll, watchRpcs, type Observed } from './servers-under-test';

export const HANDLE = PublicServiceService.handlePublic.path;
export const STREAM = PublicServiceService.streamPublic.path;
export const caller: Caller = { keyId: 'key_1', organizationId: 'org_1', kind: 'customer', scopes: ['calls:write'] };
export const context: OutgoingContext = { requestId: 'request-1', caller };

/** A request with one path value, by which handlers of the tests distinguish requests. */
export const requestOf = (text: string, more: Partial<PublicParameters> = {}): PublicParameters => ({
  route: 'echo',
  organizationId: '',
  path: [text],
  query: [],
  body: Buffer.alloc(0),
  idempotency: undefined,
  ifMatch: '',
  ...more,
});

export const answerOf = (text: string): PublicAnswer => ({
  body: Buffer.from(text),
  etag: '',
  replayed: false,
});

export const echo: PublicHandler = ({ path: [text = ''] }) => Promise.resolve(answerOf(text));
export const never = () => new Promise<PublicAnswer>(() => undefined);

export const serve = (handler: PublicHandler, observe?: Observed): Promise<RunningGrpcServer> =>
  serveAll([publicGrpcService(handler)], observe);

export function connect(ports: number | readonly number[], observe?: Observed): PublicClient & Closable {
  const addresses = [ports].flat().map((port) => `127.0.0.1:${port}`);
  return closing(publicClient('auth', addresses.join(','), { identity, observe }));
}

/** Sends one request per text, all in one event-loop tick. */
export const askAll = (client: PublicClient, texts: readonly string[], options?: PublicCallOptions) =>
  texts.map((text) => client.call(requestOf(text), context, options));

/** The body of each response, or the status of its error. */
export async function outcomesOf(work: readonly Promise<PublicAnswer>[]): Promise<(string | number)[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) =>
    one.status === 'fulfilled' ? one.value.body.toString() : (one.reason as AppError).status,
  );
}

/** Like `watchRpcs`; `messages` has the number of requests of each sent message. */
export function watchMessages(): {
  readonly rpcs: () => readonly string[];
  readonly messages: () => readonly number[];
} {
  let left: number[] = [];
  const rpcs = watchRpcs('parley.public.v1.PublicService');
  beforeEach(() => {
    left = [];
    const { encode } = PublicRequests;
    jest.spyOn(PublicRequests, 'encode').mockImplementation((message, writer) => {
      if (message.requests.length > 0) left.push(message.requests.length);
      return encode(message, writer);
    });
  });
  afterEach(() => jest.restoreAllMocks());
  return { rpcs, messages: () => left };
}
