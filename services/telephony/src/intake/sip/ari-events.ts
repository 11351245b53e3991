/** The events of Asterisk's WebSocket, reduced to the relevant fields. */
export type AriEvent =
  | { readonly type: 'started'; readonly channel: string; readonly state: string; readonly args: readonly string[] }
  | { readonly type: 'pressed'; readonly channel: string; readonly state: string; readonly key: string }
  | { readonly type: 'state'; readonly channel: string; readonly state: string }
  | { readonly type: 'held'; readonly channel: string; readonly state: string; readonly held: boolean }
  | {
      readonly type: 'ended';
      readonly channel: string;
      readonly state: string;
      readonly cause: number;
      readonly sipCode: number;
    };

/** The event types that are handled here. Asterisk is configured to send no others. */
export const ariEventTypes = [
  'StasisStart',
  'ChannelDtmfReceived',
  'ChannelStateChange',
  'ChannelHold',
  'ChannelUnhold',
  'ChannelDestroyed',
] as const;

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Undefined for all other messages. */
export function readAriEvent(text: string): AriEvent | undefined {
  let event: Record<string, unknown>;
  try {
    event = objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
  const { id: channel, name, state } = objectOf(event['channel']);
  if (typeof channel !== 'string' || typeof name !== 'string' || typeof state !== 'string') return undefined;
  if (!name.startsWith('PJSIP/')) return undefined;
  switch (event['type']) {
    case 'StasisStart': {
      const { args } = event;
      if (!Array.isArray(args) || !args.every((one) => typeof one === 'string')) return undefined;
      return { type: 'started', channel, state, args };
    }
    case 'ChannelDtmfReceived': {
      const { digit } = event;
      if (typeof digit !== 'string' || !/^[0-9*#]$/.test(digit)) return undefined;
      return { type: 'pressed', channel, state, key: digit };
    }
    case 'ChannelStateChange':
      return { type: 'state', channel, state };
    case 'ChannelHold':
    case 'ChannelUnhold':
      return { type: 'held', channel, state, held: event['type'] === 'ChannelHold' };
    case 'ChannelDestroyed':
      return { type: 'ended', channel, state, cause: numberOf(event['cause']), sipCode: numberOf(event['tech_cause']) };
    default:
      return undefined;
  }
}
