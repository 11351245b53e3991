/** Acts as the Service in front of several processes: forwards each connection to the next ready one. */
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';

/** The interval of readiness checks: shorter than in a cluster, whose leases are longer. */
const askedEveryMs = 1_000;

export interface Target {
  readonly port: number;
  readonly health: number;
}

export interface Process {
  readonly name: string;
  readonly replica: number;
  readonly pid: number;
  readonly health_port?: number;
  readonly media_port?: number;
  readonly internal_port?: number;
}

/** The processes of a platform that are running; empty while it is still starting. */
export function processesIn(home: string): readonly Process[] {
  const file = path.join(home, 'platform.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { processes: Process[] }).processes : [];
}

/** A balancer in front of one port of all processes of a service. */
export const balancerOf = (home: string, service: string, port: 'media_port' | 'internal_port'): PortBalancer =>
  new PortBalancer(() =>
    processesIn(home).flatMap((one) =>
      one.name === service && one[port] !== undefined && one.health_port !== undefined
        ? [{ port: one[port], health: one.health_port }]
        : [],
    ),
  );

export class PortBalancer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private turn = 0;
  private readonly targets: () => readonly Target[];
  /** Ports of processes that did not report that they are ready, for example because they are frozen. */
  private readonly unready = new Set<number>();
  private asking: NodeJS.Timeout | undefined;

  constructor(targets: () => readonly Target[]) {
    this.targets = targets;
    this.server = createServer((socket) => this.pass(socket));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Starts to check whether the processes are ready. */
  watch(): void {
    this.asking = setInterval(() => this.ask(), askedEveryMs);
  }

  stop(): void {
    clearInterval(this.asking);
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private ask(): void {
    for (const { port, health } of this.targets())
      fetch(`http://127.0.0.1:${health}/readyz`, { signal: AbortSignal.timeout(askedEveryMs) }).then(
        ({ status }) => (status === 200 ? this.unready.delete(port) : this.unready.add(port)),
        () => this.unready.add(port),
      );
  }

  private pass(socket: Socket): void {
    this.keep(socket);
    this.turn += 1;
    const ports = this.targets().flatMap(({ port }) => (this.unready.has(port) ? [] : [port]));
    this.try(
      socket,
      ports.map((_, place) => ports[(this.turn + place) % ports.length] ?? 0),
    );
  }

  private try(socket: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) {
      socket.destroy();
      return;
    }
    const onward = connect(port, '127.0.0.1');
    this.keep(onward);
    onward.once('connect', () => {
      onward.removeAllListeners('error');
      onward.on('error', () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    });
    onward.once('error', () => this.try(socket, others));
    socket.once('close', () => onward.destroy());
    onward.once('close', () => onward.bytesRead + onward.bytesWritten > 0 && socket.destroy());
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }
}
