import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Step } from '../../../engine/test/callee/script.ts';
import { readTwiml, type Verb } from './twiml.mts';

const { Callee } = await import('../../../engine/test/callee/callee.mts');
type Callee = InstanceType<typeof Callee>;

export interface Account {
  readonly accountSid: string;
  readonly authToken: string;
}

/** What the person at a number does. */
export interface Scenario {
  /** `rings`: until the test has it answer. */
  readonly does?: 'answers' | 'rings' | 'busy' | 'no-answer' | 'failed' | 'declines';
  /** false: no stream is opened, and one ends when the test says so. */
  readonly media?: boolean;
  /** What is said on the stream; then the person hangs up, unless they stay. */
  readonly script?: readonly Step[];
  readonly stays?: boolean;
  /** DTMF digits to send when the TwiML gathers input. */
  readonly presses?: string;
  /** What the API does with the order. */
  readonly api?: 'places' | 'drops before' | 'drops after' | { readonly status: number; readonly body: object };
  /** How many updates of the call the API refuses with 429 before it accepts one. */
  readonly refusedUpdates?: number;
}

export interface Placed {
  readonly to: string;
  readonly from: string;
  readonly direction: 'inbound' | 'outbound-api';
  readonly statusUrl: string | undefined;
  readonly events: ReadonlySet<string>;
  readonly scenario: Scenario;
}

/** Who is in which room. */
const conferences = new Map<string, Set<Call>>();

const ends = new Set(['completed', 'busy', 'no-answer', 'failed', 'canceled']);
/** A pause of a second lasts so long here. */
const secondMs = 100;
const attempts = 40;

/** One call as the carrier has it: its TwiML, its stream, and what is reported of it. */
export class Call {
  readonly sid = `CA${randomBytes(16).toString('hex')}`;
  readonly createdAt = new Date();
  status = 'queued';
  readonly tokens: string[] = [];
  readonly says: string[] = [];
  readonly reports: { status: string; answered: number }[] = [];
  streams = 0;
  /** Rooms that it was in. */
  readonly conferences: string[] = [];
  private updates = 0;
  private leaveRoom: (() => void) | undefined;
  /** One for each stream that was opened, in their order. */
  readonly callees: Callee[] = [];
  /** Counts the documents that an update of the call put in place of the one before. */
  private document = 0;
  /** How far the person's script is. */
  private scriptStep = 0;
  private endStream: (() => void) | undefined;
  private sequence = 0;
  readonly placed: Placed;
  private readonly account: Account;
  private readonly violation: (what: string) => void;

  constructor(placed: Placed, account: Account, violation: (what: string) => void) {
    this.placed = placed;
    this.account = account;
    this.violation = violation;
  }

  get callee(): Callee | undefined {
    return this.callees.at(-1);
  }

  get isOver(): boolean {
    return ends.has(this.status);
  }

  /** Rings at the person, who does as the scenario says. */
  async ring(twiml: string): Promise<void> {
    await this.report('initiated', 'queued');
    if (this.isOver) return;
    await this.move('ringing');
    const { does = 'answers' } = this.placed.scenario;
    if (does === 'rings') return;
    if (does === 'answers') return this.answer(twiml);
    if (does === 'declines') return this.end('busy', '603');
    await this.end(does, { busy: '486', 'no-answer': '480', failed: '404' }[does]);
  }

  async answer(twiml: string): Promise<void> {
    if (this.isOver) return;
    await this.move('in-progress');
    await this.run(readTwiml(twiml));
  }

  refusesUpdate(): boolean {
    this.updates += 1;
    return this.updates <= (this.placed.scenario.refusedUpdates ?? 0);
  }

  /** An update of the call: what runs is given up, its stream first, and this document runs in its place. */
  async replace(verbs: readonly Verb[]): Promise<void> {
    if (this.leaveRoom !== undefined) this.violation('a call is taken out of its room, which ends the others in it');
    this.document += 1;
    if (this.callee !== undefined && !this.callee.isOver) this.callee.hangUp();
    this.streamEnded();
    this.leaveRoom?.();
    await this.run(verbs);
  }

  /** Until it, or the party that ends the room by leaving, has left. */
  private async confer(verb: Verb | undefined): Promise<void> {
    if (verb?.name !== 'Conference' || verb.text === '') return this.violation('a <Dial> without <Conference>');
    const { text: name, attributes } = verb;
    this.conferences.push(name);
    const members = conferences.get(name) ?? new Set<Call>();
    conferences.set(name, members.add(this));
    await new Promise<void>((resolve) => (this.leaveRoom = resolve));
    members.delete(this);
    this.leaveRoom = undefined;
    if (attributes['endConferenceOnExit'] === 'true') for (const other of members) other.leaveRoom?.();
  }

  /** Runs a document, with those that follow it. */
  async run(verbs: readonly Verb[], document = this.document): Promise<void> {
    for (const verb of verbs) {
      if (this.isOver || document !== this.document) return;
      if (verb.name === 'Redirect') return this.run(await this.fetchTwiml(verb.text, this.status), document);
      if (verb.name === 'Gather') {
        const next = await this.gather(verb);
        if (next !== undefined) return this.run(next, document);
        continue;
      }
      await this.act(verb);
    }
    if (document === this.document) await this.end('completed');
  }

  private async act(verb: Verb): Promise<void> {
    switch (verb.name) {
      case 'Pause':
        return pause(Number(verb.attributes['length'] ?? 1) * secondMs);
      case 'Say':
        await this.pickUp();
        this.says.push(verb.text);
        return;
      case 'Connect':
        await this.pickUp();
        return this.stream(verb.children[0]);
      case 'Dial':
        await this.pickUp();
        return this.confer(verb.children[0]);
      case 'Hangup':
        return this.end('completed');
      case 'Reject':
        return this.end('busy');
      default:
        throw new Error(`<${verb.name}> is not acted on here`);
    }
  }

  /** Undefined: no key was pressed, and the next verb follows, unless the action is asked for then too. */
  private async gather({ attributes }: Verb): Promise<readonly Verb[] | undefined> {
    await this.pickUp();
    const { presses = '' } = this.placed.scenario;
    if (presses === '') await pause(Number(attributes['timeout'] ?? 5) * secondMs);
    const digits = presses.slice(0, Number(attributes['numDigits'] ?? presses.length));
    if (digits === '' && attributes['actionOnEmptyResult'] !== 'true') return undefined;
    return this.fetchTwiml(attributes['action'] ?? '', this.status, { Digits: digits });
  }

  /** An incoming call is answered by the first verb that needs it. */
  private async pickUp(): Promise<void> {
    if (this.status === 'ringing') await this.move('in-progress');
  }

  private async stream(verb: Verb | undefined): Promise<void> {
    const url = verb?.attributes['url'] ?? '';
    if (!/^wss?:\/\/[^?#]+$/.test(url)) this.violation(`a stream to ${url}`);
    const parameters = Object.fromEntries(
      (verb?.children ?? []).map(({ attributes }) => [attributes['name'] ?? '', attributes['value'] ?? '']),
    );
    this.tokens.push(parameters['token'] ?? '');
    this.streams += 1;
    const { media = true } = this.placed.scenario;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.endStream = end;
    if (media) await this.talk(url, parameters, { ended, end });
    else await ended;
  }

  private async talk(
    url: string,
    parameters: Record<string, string>,
    { ended, end }: { readonly ended: Promise<void>; readonly end: () => void },
  ): Promise<void> {
    const callee = new Callee({ url, parameters, onEnd: end });
    Object.assign(callee, { callSid: this.sid });
    try {
      await callee.start();
    } catch {
      // The server refused the stream: the next verb follows.
      return;
    }
    this.callees.push(callee);
    const pacing = setInterval(() => callee.step(), 5);
    this.script(callee).catch((error: Error) => {
      if (!callee.isOver) this.violation(error.message);
    });
    await ended;
    clearInterval(pacing);
  }

  private async script(callee: Callee): Promise<void> {
    const { script = [], stays = false } = this.placed.scenario;
    const { spoken } = await import('../../../engine/test/callee/stimuli.mts');
    const words = await spoken(script.flatMap((step) => ('say' in step ? [step.say] : [])));
    let lastWord = 0;
    // On another stream the person goes on; what was not said to its end is said again.
    for (; this.scriptStep < script.length; this.scriptStep += 1) {
      const step = script[this.scriptStep] as Step;
      const said = script.slice(0, this.scriptStep).filter((one) => 'say' in one).length;
      if ('say' in step) lastWord = (await callee.say(words[said] as Int16Array)).to;
      else if ('agentSpeaks' in step) await callee.agentSpeaks(lastWord + (step.forMs ?? 0));
      else if ('agentIsSilentForMs' in step) await callee.agentIsSilent(step.agentIsSilentForMs);
      else callee.press(step.press);
    }
    if (!stays) await this.hangUp();
  }

  /** The stream ends, and the next verb follows. */
  streamEnded(): void {
    this.endStream?.();
  }

  /** The person hangs up. */
  async hangUp(): Promise<void> {
    await this.end(this.status === 'in-progress' ? 'completed' : 'canceled');
  }

  /** Ends the call, its stream first. */
  async end(status: string, sipCode = ''): Promise<void> {
    if (this.isOver) return;
    this.status = status;
    if (this.callee !== undefined && !this.callee.isOver) this.callee.hangUp();
    this.streamEnded();
    this.leaveRoom?.();
    await this.report('completed', status, sipCode);
  }

  private async move(status: 'ringing' | 'in-progress'): Promise<void> {
    this.status = status;
    await this.report(status === 'ringing' ? 'ringing' : 'answered', status);
  }

  /** A status callback is sent once, and nothing waits for what comes back. */
  private async report(event: string, status: string, sipCode = ''): Promise<void> {
    const { statusUrl, events } = this.placed;
    if (statusUrl === undefined || !events.has(event)) return;
    const fields = { CallbackSource: 'call-progress-events', SequenceNumber: String((this.sequence += 1) - 1) };
    const code: Record<string, string> = sipCode === '' ? {} : { SipResponseCode: sipCode };
    const response = await this.post(statusUrl, status, { ...fields, ...code }).catch(() => undefined);
    this.reports.push({ status, answered: response?.status ?? 0 });
  }

  /** @param status of the call as it is then */
  async fetchTwiml(url: string, status: string, more: Readonly<Record<string, string>> = {}): Promise<readonly Verb[]> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.post(url, status, more).catch(() => undefined);
      if (response?.status === 200) return readTwiml(await response.text());
      if (attempt >= attempts || this.isOver) throw new Error(`${url} answered ${response?.status}`);
      await pause(250);
    }
  }

  /** A webhook, signed as documented. */
  post(url: string, status: string, more: Readonly<Record<string, string>>): Promise<Response> {
    const { to, from, direction } = this.placed;
    const { accountSid, authToken } = this.account;
    const about = { AccountSid: accountSid, ApiVersion: '2010-04-01', CallSid: this.sid, CallStatus: status };
    const form: Record<string, string> = { ...about, Direction: direction, From: from, To: to, ...more };
    const text = Object.keys(form)
      .sort()
      .reduce((signed, name) => signed + name + (form[name] ?? ''), url);
    const signature = createHmac('sha1', authToken).update(text).digest('base64');
    return fetch(url, {
      method: 'POST',
      headers: { 'X-Twilio-Signature': signature },
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(15_000),
    });
  }
}
