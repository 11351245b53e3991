import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  readonly role: string;
  readonly content: string | null;
}

/**
 * A fake chat completions server whose replies are decided by rules in the system prompt, one per line. Of the rules whose
 * words the last user message contains, the first applies; if none does, the "Otherwise" rule does:
 *
 *     When the caller says "<words>", say "<text>".
 *     Otherwise say "<text>".
 */
export class RuleFollowingModel {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<RuleFollowingModel> {
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (piece: string) => (text += piece));
      request.on('end', () => {
        const { messages } = JSON.parse(text) as { messages: Message[] };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const choice of [
          { index: 0, delta: { content: replyTo(messages) }, finish_reason: null },
          { index: 0, delta: {}, finish_reason: 'stop' },
        ])
          response.write(`data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`);
        response.end('data: [DONE]\n\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new RuleFollowingModel(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function replyTo(messages: readonly Message[]): string {
  const rules = messages.flatMap(({ role, content }) => (role === 'system' ? (content ?? '').split('\n') : []));
  const said = messages.findLast(({ role }) => role === 'user')?.content?.toLowerCase() ?? '';
  for (const rule of rules) {
    const [, words, text] = /^When the caller says "(.+?)", say "(.+?)"\.$/.exec(rule) ?? [];
    if (words !== undefined && text !== undefined && said.includes(words.toLowerCase())) return text;
  }
  return rules.flatMap((rule) => /^Otherwise say "(.+)"\.$/.exec(rule)?.[1] ?? [])[0] ?? 'I do not know.';
}
