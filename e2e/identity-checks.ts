import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider of identity checks (docs/verification.md) that decides nothing, and refuses every PNG with 422. */
export class IdentityChecks {
  private readonly server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (request.headers['content-type'] === 'image/png') response.writeHead(422).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"pending"}');
    });
  });

  static async start(): Promise<IdentityChecks> {
    const checks = new IdentityChecks();
    checks.server.listen(0, '127.0.0.1');
    await once(checks.server, 'listening');
    return checks;
  }

  /** The settings of a platform that uses it. */
  get env(): Readonly<Record<string, string>> {
    return {
      VERIFICATION_PROVIDER_URL: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      VERIFICATION_PROVIDER_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    };
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
