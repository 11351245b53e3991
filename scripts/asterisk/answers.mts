/** Checks the readiness of Asterisk: ARI over HTTP, then SIP. Each function resolves with undefined, or with the reason why it is not ready. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';

const patienceMs = 1_000;

export async function ariAnswers(url: string, user: string, password: string): Promise<string | undefined> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  try {
    const response = await fetch(`${url}/asterisk/ping`, {
      headers: { authorization },
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.arrayBuffer();
    return response.ok ? undefined : `ARI answers ${response.status}`;
  } catch (error) {
    return `ARI does not answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Any response to OPTIONS is sufficient: the SIP stack responds only after it has read its endpoints. */
export function sipAnswers(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const done = (reason?: string): void => {
      clearTimeout(timer);
      socket.close();
      resolve(reason);
    };
    const timer = setTimeout(() => done('SIP does not answer to OPTIONS'), patienceMs);
    socket.once('error', (error) => done(error.message));
    socket.once('message', (message) => done(message.toString().startsWith('SIP/2.0') ? undefined : 'no SIP answer'));
    socket.bind(0, '127.0.0.1', () => {
      const own = `127.0.0.1:${socket.address().port}`;
      const id = randomBytes(8).toString('hex');
      const lines = [
        `OPTIONS sip:127.0.0.1:${port} SIP/2.0`,
        `Via: SIP/2.0/UDP ${own};branch=z9hG4bK${id}`,
        'Max-Forwards: 1',
        `From: <sip:ready@${own}>;tag=${id}`,
        `To: <sip:127.0.0.1:${port}>`,
        `Call-ID: ${id}`,
        'CSeq: 1 OPTIONS',
        'Content-Length: 0',
      ];
      socket.send(`${lines.join('\r\n')}\r\n\r\n`, port, '127.0.0.1');
    });
  });
}
