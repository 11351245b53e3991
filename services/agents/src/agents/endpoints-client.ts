import type { WebhooksServiceServer } from '@parley/proto/webhooks';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';

export interface Workspace {
  readonly organizationId: string;
  readonly projectId: string;
}

/** The timeout for a save's warnings, and for a call's admission. */
const deadlineMs = 1_000;

/** Client of the service `webhooks`: the endpoints of a project. */
export class Endpoints {
  constructor(private readonly client: Pick<GrpcClient<WebhooksServiceServer>, 'findAudioStream'>) {}

  /** The audio_stream_url of the project's only endpoint; empty if it has none, or several. */
  async audioStreamUrl({ organizationId, projectId }: Workspace, context: OutgoingContext): Promise<string> {
    return (await this.client.findAudioStream({ organizationId, projectId }, context, { deadlineMs })).url;
  }
}
