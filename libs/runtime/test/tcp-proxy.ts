import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '@parley/testing';

/** A TCP proxy in front of a server, so that a test can make the server unavailable and available again on the same port. */
export interface TcpProxy {
  /** The server's URL with the proxy's host and port. */
  url: string;
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps the connections open but forwards no data. */
  freeze(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function tcpProxy(target: string, defaultPort: number): Promise<TcpProxy> {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((socket) => {
    const upstream = connect(Number(to.port) || defaultPort, to.hostname);
    keep(socket, upstream);
    keep(upstream, socket);
    socket.pipe(upstream).pipe(socket);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const port = await freePort();
  await listen(port);
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    cut,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    restore: () => listen(port),
    close: async () => {
      if (server.listening) await cut();
    },
  };
}
