import { isIP } from 'node:net';
import {
  type AriAnswer,
  type AriClient,
  type AddressPolicy,
  type Resolve,
  AriUnreachable,
  vettedAddresses,
  sealAnnouncement,
} from '@parley/service';
import type { Database } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import type { CallOrder, CallState, CarrierAccount, CarrierLines, OrderOutcome, RunOutcome } from '../carriers/carrier';
import { reportOfState } from './channel-report.rules';
import { dialStringOf, objectsOf, type PjsipObject } from './pjsip-objects.rules';
import { findSipTrunk, type SipTrunkRow } from './sip-trunks.sql';
import { openPassword } from './trunk-password';

export interface SipLinesOptions {
  readonly db: Database;
  readonly vault: Vault;
  readonly ari: Pick<AriClient, 'request'>;
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
}

const refused = (code: string, detail: string): OrderOutcome => ({ outcome: 'refused', code, detail });

/** Creates a PJSIP object in Asterisk, which stores it only in memory. @throws AriUnreachable; an Error if Asterisk rejects it */
export async function putObject(ari: Pick<AriClient, 'request'>, { type, id, fields }: PjsipObject): Promise<void> {
  const body = { fields: Object.entries(fields).map(([attribute, value]) => ({ attribute, value })) };
  const { status } = await ari.request('PUT', `/asterisk/config/dynamic/res_pjsip/${type}/${id}`, { body });
  if (status >= 300) throw new Error(`Asterisk answered ${status} to an object of the type ${type}`);
}

/**
 * Places calls over SIP trunks through the REST interface of Asterisk. The channel has the id of the call, so that Asterisk refuses to place a call twice. The
 * trunk's objects are created in Asterisk before each call, because Asterisk loses them when it restarts. The account of a line is its trunk.
 */
export class SipLines implements CarrierLines {
  constructor(private readonly options: SipLinesOptions) {}

  async place(order: CallOrder, { accountSid: sipTrunkId }: CarrierAccount): Promise<OrderOutcome> {
    const { db, ari } = this.options;
    try {
      const trunk = await findSipTrunk(db, order.organizationId, sipTrunkId);
      if (trunk === undefined) return refused('trunk_gone', 'the trunk of the number no longer exists');
      const address = await this.resolveAddress(trunk.host);
      if (address === undefined) return refused('host_refused', 'the host of the trunk has no address that is allowed');
      for (const object of objectsOf(this.peerOf(trunk, address))) await putObject(ari, object);
      return outcomeOf(await this.originate(order, trunk), channelOf(order));
    } catch (error) {
      if (!(error instanceof AriUnreachable)) return refused('asterisk_refused', 'Asterisk refused the trunk');
      return error.neverSent
        ? refused('unreachable', `Asterisk cannot be reached: ${error.code}`)
        : { outcome: 'unknown', detail: error.code };
    }
  }

  async fetchState(channel: string): Promise<CallState> {
    try {
      const { status, body } = await this.options.ari.request('GET', `/channels/${encodeURIComponent(channel)}`);
      if (status === 404) return { outcome: 'none' };
      const state = typeof body === 'object' && body !== null && 'state' in body ? body.state : undefined;
      if (status >= 300 || typeof state !== 'string') return { outcome: 'unknown', detail: `http_${status}` };
      return { outcome: 'known', report: reportOfState(channel, state) };
    } catch (error) {
      return { outcome: 'unknown', detail: error instanceof AriUnreachable ? error.code : 'unknown' };
    }
  }

  async placedSince({ callId }: Pick<CallOrder, 'callId'>): Promise<readonly string[] | undefined> {
    const { outcome } = await this.fetchState(callId);
    if (outcome === 'unknown') return undefined;
    return outcome === 'known' ? [callId] : [];
  }

  /** Makes the line request instructions again, through a local channel to the dialplan; no other action is supported. */
  async run(channel: string): Promise<RunOutcome> {
    const query = {
      endpoint: 'Local/again@parley-control',
      context: 'parley-control',
      extension: 'idle',
      priority: '1',
    };
    try {
      const body = { variables: { PARLEY_TARGET: channel } };
      return (await this.options.ari.request('POST', '/channels', { query, body })).status < 300 ? 'done' : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  async hangUp(channel: string): Promise<boolean> {
    try {
      const { status } = await this.options.ari.request('DELETE', `/channels/${encodeURIComponent(channel)}`);
      return status < 300 || status === 404;
    } catch {
      return false;
    }
  }

  private originate(order: CallOrder, trunk: SipTrunkRow): Promise<AriAnswer> {
    const { from, to, token, transferId, announcement = '', ringSeconds, longestSeconds } = order;
    return this.options.ari.request('POST', '/channels', {
      query: {
        endpoint: dialStringOf({ ...trunk, sipTrunkId: trunk.sip_trunk_id }, to),
        channelId: channelOf(order),
        callerId: `<${from}>`,
        timeout: String(ringSeconds),
        context: transferId === undefined ? 'parley-stream' : 'parley-leg',
        extension: 's',
        priority: '1',
      },
      body: {
        variables: {
          PARLEY_TOKEN: token,
          PARLEY_SECONDS: String(longestSeconds),
          ...(announcement !== '' && { PARLEY_SAY: announcement }),
        },
      },
    });
  }

  private peerOf(trunk: SipTrunkRow, address: string) {
    const { organization_id: organizationId, sip_trunk_id: sipTrunkId, username, password } = trunk;
    const credentials =
      username === null || password === null
        ? undefined
        : { username, password: openPassword(this.options.vault, { organizationId, sipTrunkId }, password) };
    const { host, port, transport, codecs } = trunk;
    return { sipTrunkId, host, port, transport, codecs, credentials, address };
  }

  private async resolveAddress(host: string): Promise<string | undefined> {
    const { policy, resolve } = this.options;
    const found = await vettedAddresses(host, policy, resolve).catch(() => []);
    return found.find((address) => isIP(address) === 4);
  }
}

/** The channel id is deterministic, so that Asterisk never places an order twice. */
const channelOf = ({ callId, transferId }: CallOrder): string => transferId ?? callId;

function outcomeOf({ status }: AriAnswer, channel: string): OrderOutcome {
  // A channel with this id already exists: the first order was accepted, but its response was lost.
  if (status < 300 || status === 409) return { outcome: 'placed', carrierCallId: channel };
  if (status >= 500) return { outcome: 'unknown', detail: `http_${status}` };
  return refused(`http_${status}`, `Asterisk answered ${status}`);
}

/** The engines' offline voice pronounces only Latin letters and digits. */
const pronounced = /[A-Za-z0-9]/;

/**
 * Encodes an announcement so that an engine, called by the dialplan, speaks it to the other party of a transfer; undefined for text that cannot be spoken or is
 * too long.
 */
export const announcementFor = (secret: string, text: string, nowMs: number): string | undefined =>
  pronounced.test(text.normalize('NFKD')) ? sealAnnouncement(secret, text, nowMs) : undefined;
