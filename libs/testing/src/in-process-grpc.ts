import { createLogger, startGrpcServer, type GrpcService, type Logger } from '@parley/runtime';
import { testIdentity } from './identities';

/** One logger for all servers, because each logger writes its buffer when the process exits. */
const silent = createLogger({ service: 'test', level: 'silent' });

/** Serves on a free port of the loopback address, with a certificate that clients accept as that of any service. */
export async function inProcessGrpc(
  services: GrpcService[],
  options: { log?: Logger } = {},
): Promise<{ address: string; stop(): Promise<void> }> {
  const server = await startGrpcServer({ services, identity: testIdentity('auth'), log: options.log ?? silent });
  return {
    address: `127.0.0.1:${server.port}`,
    stop: async () => {
      const drained = server.drain();
      server.close();
      await drained;
    },
  };
}
