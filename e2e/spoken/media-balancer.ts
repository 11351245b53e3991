import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { PlatformProcess } from '../platform';

/** A process that does not respond within this time gets no connection, as after a failed probe. */
const probeMs = 500;

/** A load balancer in front of the media ports of all engines: each connection goes to the next ready one, as with a Kubernetes Service. */
export class MediaBalancer {
  private readonly server: Server = createServer((socket) => {
    this.pass(socket).catch(() => socket.destroy());
  });
  private readonly sockets = new Set<Socket>();
  private turn = 0;
  /** The engines of a platform, set once it runs. */
  engines: () => readonly PlatformProcess[] = () => [];

  static async start(): Promise<MediaBalancer> {
    const balancer = new MediaBalancer();
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async pass(client: Socket): Promise<void> {
    client.pause();
    const engine = await this.next();
    if (engine?.media_port === undefined) return void client.destroy();
    const server = connect(engine.media_port, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
    client.pipe(server);
    server.pipe(client);
  }

  private async next(): Promise<PlatformProcess | undefined> {
    const engines = this.engines();
    for (let tried = 0; tried < engines.length; tried += 1) {
      this.turn += 1;
      const engine = engines[this.turn % engines.length];
      const ready = await fetch(`http://127.0.0.1:${engine?.health_port}/readyz`, {
        signal: AbortSignal.timeout(probeMs),
      }).catch(() => undefined);
      if (ready?.ok === true) return engine;
    }
    return undefined;
  }
}
