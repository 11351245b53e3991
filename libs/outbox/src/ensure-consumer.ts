import { JetStreamApiError, type ConsumerConfig, type ConsumerInfo, type JetStreamManager } from '@nats-io/jetstream';

/** The part of a durable consumer's configuration that is enforced. */
export type ConsumerDefinition = Partial<ConsumerConfig> & Pick<ConsumerConfig, 'durable_name'>;

/**
 * Creates a durable consumer, or changes the configuration of an existing one. nats-server 2.9 changes it when the consumer is created again; from 2.10 on that
 * is refused if the configuration differs, and an update is needed. Rejects with the first error if neither works.
 */
export async function ensureConsumer(
  { consumers }: { readonly consumers: Pick<JetStreamManager['consumers'], 'add' | 'update' | 'info'> },
  stream: string,
  definition: ConsumerDefinition,
): Promise<void> {
  const wanted = await beginningAsItDid(consumers, stream, definition);
  try {
    // A copy, because the client modifies its argument.
    await consumers.add(stream, { ...wanted });
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    await consumers.update(stream, wanted.durable_name ?? '', { ...wanted }).catch(() => {
      throw error;
    });
  }
}

/**
 * Keeps the start position of an existing consumer, because it cannot be changed. A consumer may have been created to start at a sequence number (see
 * `verifyStream`).
 */
async function beginningAsItDid(
  consumers: Pick<JetStreamManager['consumers'], 'info'>,
  stream: string,
  definition: ConsumerDefinition,
): Promise<ConsumerDefinition> {
  try {
    const { config } = await consumers.info(stream, definition.durable_name ?? '');
    const { deliver_policy, opt_start_seq } = config;
    return opt_start_seq === undefined ? definition : { ...definition, deliver_policy, opt_start_seq };
  } catch (error) {
    if (error instanceof JetStreamApiError) return definition;
    throw error;
  }
}

/**
 * Deletes a consumer for which the server sends nothing and of which no event was ever acknowledged. nats-server 2.9 can create such a consumer on a stream
 * that it is still creating for another process; whatever that consumer should send is lost until the server restarts. A recreated consumer starts with the
 * stream's first event.
 * @param known the consumer's state when it was subscribed to
 * @returns what happened. A consumer that was recreated since the subscription is kept: it must be subscribed to again before it can be considered stale
 */
export async function recreateStaleConsumer(
  { consumers }: { readonly consumers: Pick<JetStreamManager['consumers'], 'info' | 'delete'> },
  known: Pick<ConsumerInfo, 'stream_name' | 'name' | 'created'>,
): Promise<'deleted' | 'made again' | 'kept'> {
  const now = await consumers.info(known.stream_name, known.name);
  if (now.created !== known.created) return 'made again';
  if (now.ack_floor.consumer_seq > 0) return 'kept';
  await consumers.delete(known.stream_name, known.name);
  return 'deleted';
}
