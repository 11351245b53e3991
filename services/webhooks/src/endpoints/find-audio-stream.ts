import type { Dependencies } from './dependencies';
import { listEndpoints } from './endpoints.sql';

/** The audio_stream_url of the project's only endpoint; undefined where it has none, or several. */
export async function findAudioStream(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  projectId: string,
): Promise<string | undefined> {
  const [only, second] = await listEndpoints(db, organizationId, { projectId, after: '', limit: 2 });
  return second === undefined ? only?.audioStreamUrl : undefined;
}
