import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A scenario of `call.mts`, which runs in a process of its own. */
export interface Scenario {
  readonly does?: 'answers' | 'rings' | 'busy' | 'no-answer' | 'failed' | 'declines';
  readonly media?: boolean;
  readonly script?: readonly object[];
  readonly stays?: boolean;
  readonly api?: 'places' | 'drops before' | 'drops after' | { readonly status: number; readonly body: object };
  /** How many updates of the call the API refuses with 429 before it accepts one. */
  readonly refusedUpdates?: number;
  /** DTMF digits to send when the TwiML gathers input. */
  readonly presses?: string;
}

export interface CallAtCarrier {
  readonly sid: string;
  readonly status: string;
  readonly to: string;
  readonly from: string;
  /** The token of each requested stream. */
  readonly tokens: readonly string[];
  readonly says: readonly string[];
  readonly reports: readonly { readonly status: string; readonly answered: number }[];
  readonly streams: number;
  /** The conferences that the call joined. */
  readonly conferences: readonly string[];
}

/** A carrier that speaks Twilio's protocols strictly, in a process of its own. */
export class TwilioProtocolCarrier {
  private constructor(
    private readonly child: ChildProcess,
    /** The base URL of its API. */
    readonly url: string,
  ) {}

  static async start(account: { readonly accountSid: string; readonly authToken: string }) {
    const file = path.join(__dirname, 'server.mts');
    const child = spawn(process.execPath, [file, JSON.stringify(account)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    return new TwilioProtocolCarrier(child, url);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill();
    await exited;
  }

  /** What broke a rule of the protocols. */
  violations = (): Promise<readonly string[]> => this.ask('violations');

  calls = async (to: string): Promise<readonly CallAtCarrier[]> =>
    (await this.ask<readonly CallAtCarrier[]>('calls')).filter((call) => call.to === to);

  /** What the person at a number will do. */
  at = (to: string, scenario: Scenario): Promise<unknown> => this.ask('scenario', { to, scenario });

  /** Somebody calls a number whose webhooks are these. */
  ring = (
    given: { readonly to: string; readonly from: string; readonly scenario: Scenario } & WebhookAddresses,
  ): Promise<{ readonly sid: string }> => this.ask('ring', given);

  act = (what: 'answer' | 'hang-up' | 'stream-ended', sid: string): Promise<unknown> => this.ask(what, { sid });

  /** What was said and heard on the last stream, at 8 kHz. */
  sound(sid: string): Promise<Sound> {
    return this.soundOf('sound', sid);
  }

  /** The same of all streams of a call, with the silence between them. */
  wholeSound(sid: string): Promise<Sound> {
    return this.soundOf('whole-sound', sid);
  }

  private async soundOf(what: string, sid: string): Promise<Sound> {
    const { said, heard } = await this.ask<{ said: string; heard: string }>(what, { sid });
    return { said: samplesOf(said), heard: samplesOf(heard) };
  }

  private async ask<Answer>(command: string, body: object = {}): Promise<Answer> {
    const response = await fetch(`${this.url}/control/${command}`, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as Answer;
  }
}

interface Sound {
  readonly said: Int16Array;
  readonly heard: Int16Array;
}

interface WebhookAddresses {
  readonly voiceUrl: string;
  readonly statusUrl?: string;
}

function samplesOf(base64: string): Int16Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return new Int16Array(bytes.buffer, 0, bytes.length / 2);
}
