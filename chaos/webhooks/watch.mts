import type { BenchPlatform } from '../../bench/platform.mts';
import { Receiver } from './receiver.mts';
import { addEndpoint, callEvents, missing } from './world.mts';

/** How long events may take to arrive after all calls are over. */
const patienceMs = 120_000;

export interface Watched {
  readonly 'lost events': number;
  readonly 'repeated deliveries': number;
  /** Maximum time from an event to its arrival, and the event's type. */
  readonly 'latest event s': string;
}

/** Receives the events of all calls of a customer while a scenario runs, and counts what was lost, repeated or late. */
export class Watch {
  private readonly receiver = new Receiver();
  private readonly platform: BenchPlatform;
  private readonly say: (line: string) => void;

  private constructor(platform: BenchPlatform, say: (line: string) => void) {
    this.platform = platform;
    this.say = say;
  }

  /** Creates an endpoint of the customer whose keys `platform` has. */
  static async start(platform: BenchPlatform, say: (line: string) => void): Promise<Watch> {
    const watch = new Watch(platform, say);
    const url = await watch.receiver.start();
    try {
      await addEndpoint(watch.world(url), `${url}/calls`, callEvents);
    } catch (error) {
      watch.stop();
      throw error;
    }
    return watch;
  }

  /** Waits for the events of all calls so far. */
  async finish(): Promise<{ row: Watched; broken: string[] }> {
    const lost = await missing(this.world(''), patienceMs);
    const { repeated, longestWay, latest, changed } = this.receiver;
    return {
      row: {
        'lost events': lost,
        'repeated deliveries': repeated,
        'latest event s': `${(longestWay / 1000).toFixed(1)} ${latest}`,
      },
      broken: [
        ...(lost > 0 ? [`${lost} events never came to their receiver`] : []),
        ...(changed.size > 0 ? [`${changed.size} events came again with another content`] : []),
      ],
    };
  }

  stop(): void {
    this.receiver.stop();
  }

  private world(url: string) {
    return { platform: this.platform, receiver: this.receiver, url, say: this.say };
  }
}
