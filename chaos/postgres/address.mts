import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy with the address of a database that moves to another server, like the host name that a failover changes. */
export class MovingAddress {
  private readonly open = new Set<Socket>();
  private readonly server = createServer((socket) => this.pass(socket));

  private port: number;

  constructor(port: number) {
    this.port = port;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `postgresql://parley@127.0.0.1:${(this.server.address() as AddressInfo).port}/postgres`;
  }

  /** New connections go to this port; open ones are closed. */
  move(port: number): void {
    this.port = port;
    for (const socket of this.open) socket.destroy();
  }

  stop(): void {
    for (const socket of this.open) socket.destroy();
    this.server.close();
  }

  private pass(near: Socket): void {
    const far = connect(this.port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
