import { JetStreamApiError, type ConsumerConfig, type ConsumerInfo, type JetStreamManager } from '@nats-io/jetstream';

/** The asserted part of a durable consumer's configuration. */
export type ConsumerDefinition = Partial<ConsumerConfig> & Pick<ConsumerConfig, 'durable_name'>;

/**
 * Makes a durable consumer, or brings the one that is there in line: nats-server 2.9 does that when it is made again, from 2.10
 * on that is refused where the configuration differs, and only an update does. Rejects with the first refusal when neither helps.
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

/** The start position of a consumer cannot be changed: one that was created to start at a sequence (see `verifyStream`) keeps it. */
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
 * Deletes a consumer over which the server says nothing, when no event of it was ever acknowledged: nats-server 2.9 may make one
 * on a stream that it is still making for another process, and whatever such a consumer sends is lost until the server starts again.
 * Made again it begins with the stream's first event.
 * @param known what was known of the consumer when it was subscribed to
 * @returns what became of it; one that was made again since then is left alone, and has to be subscribed to before it can be known as mute
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
