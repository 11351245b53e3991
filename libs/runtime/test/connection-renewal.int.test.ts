import {
  credentials,
  makeGenericClientConstructor,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';

const text = { serialize: (value: string) => Buffer.from(value), deserialize: (bytes: Buffer) => bytes.toString() };
const ask = {
  path: '/parley.test.Test/Ask',
  requestStream: false,
  responseStream: false,
  requestSerialize: text.serialize,
  requestDeserialize: text.deserialize,
  responseSerialize: text.serialize,
  responseDeserialize: text.deserialize,
} as const;
const definition = { ask } satisfies ServiceDefinition;

/** Short, so that many pings are sent while a connection is being renewed. */
const keepaliveMs = 25;

/** A server that responds to `wait` when the test calls the functions in `open`, and a client of it; both send keepalive pings if configured. */
async function connected(pings: { readonly ofServer: boolean; readonly ofClient: boolean }) {
  const every = { 'grpc.keepalive_time_ms': keepaliveMs, 'grpc.keepalive_timeout_ms': 20_000 };
  const server = new Server({
    'grpc.max_connection_age_ms': 200,
    'grpc.max_connection_age_grace_ms': 60_000,
    'grpc.enable_channelz': 0,
    ...(pings.ofServer && every),
  });
  const open: (() => void)[] = [];
  const peers: string[] = [];
  server.addService(definition, {
    ask: (call: ServerUnaryCall<string, string>, respond: sendUnaryData<string>) => {
      peers.push(call.getPeer());
      if (call.request === 'wait') open.push(() => respond(null, 'waited'));
      else respond(null, call.getPeer());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const Client = makeGenericClientConstructor(definition, 'parley.test.Test');
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.enable_channelz': 0,
    ...(pings.ofClient && { ...every, 'grpc.keepalive_permit_without_calls': 1 }),
  });
  const send = (question: string) =>
    new Promise<string>((resolve, reject) => {
      client.makeUnaryRequest(ask.path, text.serialize, text.deserialize, question, (error, answer = '') =>
        error === null ? resolve(answer) : reject(error),
      );
    });
  const close = () => {
    client.close();
    server.forceShutdown();
  };
  return { send, peers, open, close };
}

describe('renewal of connections every few minutes (startGrpcServer)', () => {
  it.each([
    ['the client', { ofServer: false, ofClient: true }],
    ['the server', { ofServer: true, ofClient: false }],
  ])('a call on the old connection completes while %s sends keepalive pings', async (_who, pings) => {
    const { send, peers, open, close } = await connected(pings);
    try {
      const waiting = send('wait');
      // A new connection serves the request when the old one is being renewed. After three more, many pings were sent on the first.
      while (new Set(peers).size < 4) await send('who');
      expect(open).toHaveLength(1);
      open.forEach((answer) => answer());
      await expect(waiting).resolves.toBe('waited');
    } finally {
      close();
    }
  });
});
