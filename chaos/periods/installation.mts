import pg from 'pg';
import { agePostgres } from '../../bench/aged.mts';
import { forgetHome, newHome, startPlatform } from '../../bench/platform.mts';
import { deliveredType } from './burst.mts';
import { Receiver } from '../webhooks/receiver.mts';
import { addEndpoint, type World } from '../webhooks/world.mts';

/** A separate platform with an endpoint that receives the events of type `deliveredType`. */
export interface Installation {
  readonly world: World;
  readonly db: pg.Client;
  readonly endpointId: string;
  stop(): Promise<void>;
}

export async function install(say: (line: string) => void, env: Record<string, string> = {}): Promise<Installation> {
  const home = newHome();
  const receiver = new Receiver();
  const url = await receiver.start();
  const platform = await startPlatform(home, env);
  const db = new pg.Client({ connectionString: platform.file.database_url });
  const stop = async (): Promise<void> => {
    await db.end().catch(() => undefined);
    await platform.stop();
    receiver.stop();
    forgetHome(home);
  };
  try {
    const world: World = { platform, receiver, url, say };
    await db.connect();
    const endpointId = await addEndpoint(world, url, [deliveredType]);
    await agePostgres(platform.file.database_url);
    return { world, db, endpointId, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
