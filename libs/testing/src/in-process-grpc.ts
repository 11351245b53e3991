import { createLogger, startGrpcServer, type GrpcService, type Logger } from '@parley/runtime';

/** Serves on a free port of the loopback address. */
export async function inProcessGrpc(
  services: GrpcService[],
  options: { log?: Logger } = {},
): Promise<{ address: string; stop(): Promise<void> }> {
  const log = options.log ?? createLogger({ service: 'test', level: 'silent' });
  const server = await startGrpcServer({ services, log });
  return {
    address: `127.0.0.1:${server.port}`,
    stop: async () => {
      const drained = server.drain();
      server.close();
      await drained;
    },
  };
}
