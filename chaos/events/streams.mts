import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { natsServer } from '../../scripts/servers/nats.mts';

export const streamNames = ['EVENTS', 'AUDIT'] as const;
export type Stream = (typeof streamNames)[number];

async function infoOf(natsUrl: string, name: Stream): Promise<{ created: string; last: number }> {
  const connection = await connect(natsServer(natsUrl));
  try {
    const { created, state } = await (await jetstreamManager(connection)).streams.info(name);
    return { created, last: state.last_seq };
  } finally {
    await connection.close();
  }
}

/** The creation time of a stream. The relay stores it with each event that the stream has acknowledged. */
export const createdOf = async (natsUrl: string, name: Stream): Promise<string> =>
  (await infoOf(natsUrl, name)).created;

/** The last sequence number of each stream. */
export async function lastSequence(natsUrl: string): Promise<Record<Stream, number>> {
  const [events, audit] = await Promise.all(streamNames.map((name) => infoOf(natsUrl, name)));
  return { EVENTS: events?.last ?? NaN, AUDIT: audit?.last ?? NaN };
}
