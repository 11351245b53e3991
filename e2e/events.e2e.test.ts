import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Customer } from './customer';
import { Platform } from './platform';
import { until } from './until';

const root = path.resolve(__dirname, '..');
const page = readFileSync(path.join(root, 'docs/events.md'), 'utf8');

/** An event as the example program of the documentation prints it. */
interface Printed {
  readonly outcome: string;
  readonly resourceId: string;
  readonly seq: number;
  readonly type: string;
  readonly id: string;
}

/** One run of the example program from the documentation, unchanged. */
class Run {
  readonly events: Printed[] = [];
  private ready = false;
  private errors = '';

  constructor(private readonly child: ChildProcess) {
    if (child.stdout === null) throw new Error('the output is not piped');
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'ready') this.ready = true;
      const [outcome = '', resourceId = '', seq, type = '', id = ''] = line.split(' ');
      if (id !== '') this.events.push({ outcome, resourceId, seq: Number(seq), type, id });
    });
    child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  async isReady(): Promise<this> {
    await until('the consumer is ready', () => {
      if (this.child.exitCode !== null) throw new Error(`the consumer ended:\n${this.errors}`);
      return this.ready;
    });
    return this;
  }

  /** The events of one call in the order in which they arrived. */
  of(callId: string): Printed[] {
    return this.events.filter(({ resourceId }) => resourceId === callId);
  }

  /** Resolves with the exit code; null if a signal ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const exited = new Promise<number | null>((resolve) => this.child.once('close', resolve));
    this.child.kill(signal);
    return exited;
  }
}

describe('the durable consumer of docs/events.md', () => {
  let folder: string;
  let platform: Platform;
  let customer: Customer;
  let run: Run | undefined;

  const start = (): Promise<Run> => {
    const child = spawn(process.execPath, [path.join(folder, 'consumer.mts')], {
      cwd: folder,
      env: { ...process.env, NATS_URL: platform.natsUrl, ORGANIZATION_ID: customer.organizationId },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return (run = new Run(child)).isReady();
  };

  /** Makes a complete call. Returns its events as the webhooks reported them, which the consumer must receive identically. */
  const call = async () => {
    const { call_id } = await customer.call('+15005550006');
    return {
      callId: call_id,
      reported: await customer.receiver.story(call_id, 'call.completed', 'call.transcript.ready'),
    };
  };

  const arrived = async (one: Run, callId: string, count: number): Promise<Printed[]> => {
    await until(`${count} events of ${callId}`, () => one.of(callId).length >= count);
    return one.of(callId);
  };

  beforeAll(async () => {
    // Inside the checkout, so that the program finds its packages.
    mkdirSync(path.join(root, '.parley'), { recursive: true });
    folder = mkdtempSync(path.join(root, '.parley', 'e2e-events-'));
    const programs = [...page.matchAll(/^```ts[^\n]*\n(.*?)^```$/gms)].map(([, code]) => code ?? '');
    expect(programs).toHaveLength(1);
    writeFileSync(path.join(folder, 'consumer.mts'), programs[0] ?? '');
    platform = await Platform.shared();
    customer = await Customer.create(platform);
  });

  afterEach(async () => {
    await run?.end('SIGKILL');
    run = undefined;
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('receives every event of a call, once, in the order of resource_seq', async () => {
    const consumer = await start();
    const { callId, reported } = await call();
    const events = await arrived(consumer, callId, reported.length);
    expect(events.map(({ seq }) => seq)).toEqual(reported.map((_, index) => index + 1));
    expect(events.map(({ id, type }) => [id, type])).toEqual(reported.map(({ id, type }) => [id, type]));
    expect(new Set(events.map(({ outcome }) => outcome))).toEqual(new Set(['handled']));
    expect(await consumer.end('SIGTERM')).toBe(0);
  });

  it('continues where it stopped after a period offline: no event is lost, and no acknowledged event is delivered again', async () => {
    const before = await start();
    const first = await call();
    await arrived(before, first.callId, first.reported.length);
    expect(await before.end('SIGTERM')).toBe(0);

    const missed = await call();
    const after = await start();
    const present = await call();
    const events = await arrived(after, present.callId, present.reported.length);
    expect(events.map(({ id }) => id)).toEqual(present.reported.map(({ id }) => id));
    expect(after.of(missed.callId).map(({ id }) => id)).toEqual(missed.reported.map(({ id }) => id));
    expect(after.of(first.callId)).toEqual([]);
    expect(new Set(after.events.map(({ outcome }) => outcome))).toEqual(new Set(['handled']));
  });

  it('after kill -9 in the middle of a call handles each event of it once, in order', async () => {
    const before = await start();
    const { call_id: callId } = await customer.call('+15005550006');
    await arrived(before, callId, 1);
    await before.end('SIGKILL');
    const after = await start();
    const reported = await customer.receiver.story(callId, 'call.transcript.ready', 'call.completed');
    const last = reported.at(-1);
    // If this test was delayed, the first consumer may have processed all events.
    await until('the last event', () =>
      [before, after].some((one) => one.of(callId).some(({ id }) => id === last?.id)),
    );
    // The program's database is decisive: the program may have been killed between the commit and printing the line.
    const ids = new Set(reported.map(({ id }) => id));
    const database = new DatabaseSync(path.join(folder, 'calls.db'), { readOnly: true });
    const handled = database.prepare('select id from handled_events order by rowid').all();
    const [stored] = database.prepare('select seq, last_event from calls where id = ?').all(callId);
    database.close();
    expect(handled.map(({ id }) => String(id)).filter((id) => ids.has(id))).toEqual([...ids]);
    expect(stored).toEqual({ seq: reported.length, last_event: last?.type });
  });

  it('gets all events again when its durable consumer is lost, and processes none twice', async () => {
    const before = await start();
    const { callId, reported } = await call();
    await arrived(before, callId, reported.length);
    expect(await before.end('SIGTERM')).toBe(0);

    const nats = await connect(platform.natsServer);
    expect(await (await jetstreamManager(nats)).consumers.delete('EVENTS', 'call-list')).toBe(true);
    await nats.close();

    const after = await start();
    const again = await arrived(after, callId, reported.length);
    expect(again.map(({ id, outcome }) => [id, outcome])).toEqual(reported.map(({ id }) => [id, 'known']));
  });
});
