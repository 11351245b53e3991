import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model that extracts one text, and keeps all requests. */
export class ExtractingModel {
  readonly asked: string[] = [];
  private constructor(private readonly server: Server) {}

  static async start(canary: string): Promise<ExtractingModel> {
    const found = {
      ...{ data: { day: canary }, summary: canary, sentiment: 'neutral' },
      success: { achieved: true, reason: canary },
    };
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        model.asked.push(body);
        const call = { index: 0, id: 'c', function: { name: 'record_extraction', arguments: JSON.stringify(found) } };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const choice of [
          { index: 0, delta: { tool_calls: [call] }, finish_reason: null },
          { index: 0, delta: {}, finish_reason: 'tool_calls' },
        ])
          response.write(`data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`);
        response.end('data: [DONE]\n\n');
      });
    });
    const model = new ExtractingModel(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
