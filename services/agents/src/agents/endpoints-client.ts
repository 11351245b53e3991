import type { WebhooksServiceServer } from '@parley/proto/webhooks';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';

export interface Workspace {
  readonly organizationId: string;
  readonly projectId: string;
}

/** A save does not wait longer for a warning, nor a call for its admission. */
const deadlineMs = 1_000;

/** webhooks as this service sees it: the endpoints of a project. */
export class Endpoints {
  constructor(private readonly client: Pick<GrpcClient<WebhooksServiceServer>, 'findAudioStream'>) {}

  /** The audio_stream_url of the project's only endpoint; empty where it has none, or several. */
  async audioStreamUrl({ organizationId, projectId }: Workspace, context: OutgoingContext): Promise<string> {
    return (await this.client.findAudioStream({ organizationId, projectId }, context, { deadlineMs })).url;
  }
}
