import { JetStreamApiError, type ConsumerConfig, type JetStreamManager } from '@nats-io/jetstream';

/** A durable consumer's configuration, as far as it is asserted. */
export type ConsumerDefinition = Partial<ConsumerConfig> & Pick<ConsumerConfig, 'durable_name'>;

/**
 * Makes a durable consumer, or brings the one that is there in line: nats-server 2.9 does that when it is made again, from 2.10
 * on that is refused where the configuration differs, and only an update does. Rejects with the first refusal when neither helps.
 */
export async function ensureConsumer(
  { consumers }: { readonly consumers: Pick<JetStreamManager['consumers'], 'add' | 'update'> },
  stream: string,
  wanted: ConsumerDefinition,
): Promise<void> {
  try {
    // The client writes into what it is given.
    await consumers.add(stream, { ...wanted });
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    await consumers.update(stream, wanted.durable_name ?? '', { ...wanted }).catch(() => {
      throw error;
    });
  }
}
