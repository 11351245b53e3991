/** What stands before the media ports of the engines: a connection goes to the next one that takes it. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class MediaBalancer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private turn = 0;
  private readonly ports: () => readonly number[];

  constructor(ports: () => readonly number[]) {
    this.ports = ports;
    this.server = createServer((socket) => this.pass(socket));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private pass(socket: Socket): void {
    this.keep(socket);
    this.turn += 1;
    const ports = this.ports();
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
