import { hostname } from 'node:os';
import { unescape } from 'node:querystring';
import { randomUUID } from 'node:crypto';
import { newTraceparent, poller, serviceCaller, type Clock, type Logger, type OutgoingContext } from '@parley/runtime';
import type { AriClient } from '@parley/service';
import type { Background } from '@parley/runtime';
import { reportLeg, reportLine, tendSipLines, tellHeld } from '../../lines';
import { reportOfEnd, reportOfState, type Network } from '../../network';
import type { Telephony } from '../../telephony';
import { ariEventTypes, readAriEvent, type AriEvent } from './ari-events';
import { followChannel, followLeg, followReferred, notNow, takeIncoming, type SipVerb } from './incoming-call';
import { callOfChannel, holdController, leaveController, transferOfChannel } from './sip-peers.cross-tenant.sql';
import type { SipPeers } from './sip-peers';

/** The name of the ARI application to which the dialplan passes channels (Stasis). */
const application = 'parley';
/** A process that stalls for longer than this loses the role of the one that handles events. */
const heldSeconds = 6;
const everyMs = 2_000;
/** Maximum number of digits buffered while no engine is connected. */
const mostKeys = 32;

export interface SipControllerOptions {
  readonly telephony: Pick<
    Telephony,
    | 'db'
    | 'agents'
    | 'controls'
    | 'vault'
    | 'workers'
    | 'publications'
    | 'signals'
    | 'settings'
    | 'openOrganization'
    | 'onCommit'
    | 'linesDue'
  > &
    Network;
  readonly ari: AriClient;
  readonly peers: SipPeers;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Handles events of Asterisk's channels. Only one replica does so at a time: the one that holds the lease on the ARI application. Asterisk sends events to the
 * replica that connected last; what was missed in between is queried from Asterisk. All actions can safely be repeated.
 */
export function createSipController(options: SipControllerOptions): Background {
  const controller = new SipController(options);
  const { clock, log } = options;
  const polling = poller({ name: 'sip-controller', everyMs, run: () => controller.poll(), log, clock });
  return {
    ...polling,
    async stop() {
      await polling.stop();
      await controller.stop();
    },
  };
}

class SipController {
  private readonly holder = `${hostname()}-${process.pid}-${randomUUID()}`;
  private socket: WebSocket | undefined;
  /** By channel, whose events are handled in their order: the end of a call may arrive while its beginning is still being recorded. */
  private readonly handling = new Map<string, Promise<void>>();
  /** Digits pressed on channels that wait for instructions, as reported by the dialplan. */
  private readonly pressed = new Map<string, string>();

  constructor(private readonly options: SipControllerOptions) {}

  async poll(): Promise<void> {
    const { telephony, peers } = this.options;
    if (!(await holdController(telephony.db, application, this.holder, heldSeconds))) return this.close();
    if (this.socket === undefined) await this.connect();
    if (this.socket !== undefined) await peers.refresh();
  }

  async stop(): Promise<void> {
    this.close();
    await Promise.all(this.handling.values());
    await leaveController(this.options.telephony.db, application, this.holder);
  }

  private close(): void {
    const { socket } = this;
    this.socket = undefined;
    socket?.close();
  }

  private async connect(): Promise<void> {
    const { telephony, ari, peers, log } = this.options;
    const socket = new WebSocket(ari.eventsUrl(application), { headers: { authorization: ari.authorization } });
    const opened = await new Promise<boolean>((resolve) => {
      socket.addEventListener('open', () => resolve(true));
      socket.addEventListener('error', () => resolve(false));
      socket.addEventListener('close', () => resolve(false));
    });
    if (!opened) return log.warn('Asterisk cannot be reached; calls over SIP trunks are not possible');
    socket.addEventListener('message', ({ data }) => this.take(String(data)));
    socket.addEventListener('close', () => {
      // The connection was lost, or another process connected as the application.
      if (this.socket === socket) this.socket = undefined;
    });
    this.socket = socket;
    const allowed = ariEventTypes.map((type) => ({ type }));
    await ari.request('PUT', `/applications/${application}/eventFilter`, { body: { allowed } });
    log.info('handling the calls of SIP trunks');
    peers.forget();
    await peers.refresh();
    await tendSipLines(telephony);
    await this.takeWaiting();
  }

  /** Handles channels that entered the application while no process was connected. */
  private async takeWaiting(): Promise<void> {
    const { body } = await this.options.ari.request('GET', '/channels');
    if (!Array.isArray(body)) return;
    for (const channel of body as readonly unknown[]) {
      const { dialplan } = channel as {
        readonly dialplan?: { readonly app_name?: string; readonly app_data?: string };
      };
      const [app, ...args] = (dialplan?.app_data ?? '').split(',');
      if (dialplan?.app_name !== 'Stasis' || app !== application) continue;
      this.take(JSON.stringify({ type: 'StasisStart', channel, args }));
    }
  }

  private take(text: string): void {
    const event = readAriEvent(text);
    if (event === undefined) return;
    if (event.type === 'pressed') return this.notePressed(event.channel, event.key);
    if (event.type === 'started') this.pressed.set(event.channel, '');
    const { log } = this.options;
    const { channel } = event;
    const one = (this.handling.get(channel) ?? Promise.resolve())
      .then(() => this.handle(event))
      .catch((error: unknown) => log.error({ err: error, channel }, 'an event of Asterisk failed'))
      .finally(() => this.handling.get(channel) === one && this.handling.delete(channel));
    this.handling.set(channel, one);
  }

  /** Buffers a digit that was pressed while no engine is connected. */
  private notePressed(channel: string, key: string): void {
    const before = this.pressed.get(channel);
    if (before === undefined || before.length >= mostKeys) return;
    this.pressed.set(channel, before + (key === '#' ? 'h' : key === '*' ? 's' : key));
  }

  private async handle(event: Exclude<AriEvent, { readonly type: 'pressed' }>): Promise<void> {
    const { telephony } = this.options;
    const context = { caller: serviceCaller, requestId: randomUUID(), traceparent: newTraceparent() };
    if (event.type === 'started') return this.perform(event, await this.verbOf(event, context));
    if (event.type === 'held') {
      const call = await callOfChannel(telephony.db, event.channel);
      return call && tellHeld(telephony, call.organizationId, call.callId, event.held);
    }
    const { channel, state } = event;
    if (event.type === 'ended') this.pressed.delete(channel);
    const leg = await transferOfChannel(telephony.db, channel);
    if (leg !== undefined) return this.reportLegOf(event, leg);
    const known = await callOfChannel(telephony.db, channel);
    if (known === undefined) return;
    const outgoing = channel === known.callId;
    const { cause, sipCode } = event.type === 'ended' ? event : { cause: 0, sipCode: 0 };
    const report =
      event.type === 'state'
        ? reportOfState(channel, state)
        : reportOfEnd({ id: channel, state, cause, sipCode, outgoing });
    await reportLine(telephony, known, report, context);
  }

  private async reportLegOf(
    event: Exclude<AriEvent, { readonly type: 'started' | 'pressed' | 'held' }>,
    call: { readonly organizationId: string; readonly callId: string },
  ): Promise<void> {
    const { channel, state } = event;
    if (event.type === 'state') return;
    const leg = { provider: 'sip_trunk', ...call, transferId: channel, carrierCallId: channel };
    const { cause, sipCode } = event;
    const report = reportOfEnd({ id: channel, state, cause, sipCode, outgoing: true });
    // No engine could speak the announcement, so the dialplan ended the leg.
    const gaveUp = state === 'Up' && cause === notNow;
    await reportLeg(this.options.telephony, leg, gaveUp ? { ...report, end: 'failed' } : report);
  }

  private verbOf(
    { channel, args: [what, ...args] }: Extract<AriEvent, { readonly type: 'started' }>,
    context: OutgoingContext,
  ): Promise<SipVerb> {
    const { telephony, peers } = this.options;
    const [peer = '', to = '', request = '', from = '', asserted = '', privacy = ''] = args.map((arg) => unescape(arg));
    return what === 'incoming'
      ? takeIncoming(telephony, peers.at, { channel, peer, to, request, from, asserted, privacy }, context)
      : what === 'leg'
        ? followLeg(telephony, channel)
        : what === 'referred'
          ? followReferred(telephony, channel, { status: peer, code: to })
          : followChannel(telephony, channel, context);
  }

  /** Sends the instruction to the channel. Ignores a channel that has ended, or that another process already released. */
  private async perform({ channel, state }: Pick<AriEvent, 'channel' | 'state'>, verb: SipVerb): Promise<void> {
    const { ari } = this.options;
    const path = `/channels/${encodeURIComponent(channel)}`;
    const goOn = async (context: string) => {
      const value = this.pressed.get(channel) ?? '';
      this.pressed.delete(channel);
      if (value !== '') await ari.request('POST', `${path}/variable`, { query: { variable: 'PARLEY_PRESSED', value } });
      return ari.request('POST', `${path}/continue`, { query: { context, extension: 's', priority: '1' } });
    };
    switch (verb.do) {
      case 'stream':
        await ari.request('POST', `${path}/variable`, { query: { variable: 'PARLEY_TOKEN', value: verb.token } });
        await goOn('parley-stream');
        return;
      case 'hold':
        if (state !== 'Up') await ari.request('POST', `${path}/ring`);
        await goOn('parley-hold');
        return;
      case 'join': {
        if (verb.leg === channel) return void (await goOn('parley-wait'));
        const { body } = await ari.request('GET', `/channels/${encodeURIComponent(verb.leg)}`);
        const name = typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : '';
        // The other party hung up in the meantime, so there is no channel to bridge with.
        if (!name.startsWith('PJSIP/')) return void (await ari.request('DELETE', path));
        await ari.request('POST', `${path}/variable`, { query: { variable: 'PARLEY_LEG', value: name } });
        return void (await goOn('parley-join'));
      }
      case 'refer':
        await ari.request('POST', `${path}/variable`, { query: { variable: 'PARLEY_REFER_TO', value: verb.to } });
        return void (await goOn('parley-refer'));
      case 'merge':
        return void (await goOn('parley-merged'));
      case 'end':
        await ari.request('DELETE', path);
        return;
      case 'decline':
        await ari.request('DELETE', path, { query: { reason_code: String(verb.cause) } });
    }
  }
}
