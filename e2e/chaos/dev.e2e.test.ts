import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Platform, root } from '../platform';
import { until } from '../until';

/** A copy of the checkout with separate sources and builds, which the test may change; installed packages are shared. */
function copyOfCheckout(): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'parley-checkout-'));
  const shared = ['.git', '.parley', 'node_modules'];
  for (const part of readdirSync(root).filter((name) => !shared.includes(name))) {
    // Links and times are preserved: links between packages are relative, and the compiler compares times.
    const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
    cpSync(path.join(root, part), path.join(copy, part), options);
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** docs/reference/starting.md: what `npm run dev` does in addition to `npm start`. */
describe('npm run dev', () => {
  const checkout = copyOfCheckout();
  const source = path.join(checkout, 'services/webhooks/src/main.ts');
  const text = readFileSync(source, 'utf8');
  let platform: Platform | undefined;

  /** Saves again from time to time, because the compiler misses a change that occurs before it has started to watch. */
  const save = (content: string, what: string, happened: () => boolean) => {
    let turns = 0;
    return until(what, () => {
      if (turns % 400 === 0) writeFileSync(source, content);
      turns += 1;
      return happened();
    });
  };

  afterAll(async () => {
    await platform?.stop();
    rmSync(checkout, { recursive: true, force: true });
  });

  it('shows compile errors, builds the rest, and restarts only the changed service', async () => {
    const dev = (platform = await Platform.start({ program: 'dev', checkout }));
    const pids = () => Object.fromEntries(dev.processes.map(({ name, pid }) => [name, pid]));
    const { webhooks: before, ...others } = pids();
    expect(before).toBeGreaterThan(0);

    await save(`${text}export const mistaken: number = 'a text';\n`, 'the mistake is shown', () =>
      dev.log.includes('error TS2322'),
    );
    expect(pids()).toEqual({ ...others, webhooks: before });

    await save(`${text}console.error('what was changed runs');\n`, 'what was changed runs', () =>
      dev.logOf('webhooks-0').includes('what was changed runs'),
    );
    await until('the service is ready again', () => dev.log.includes('running again: webhooks'));
    await dev.ready();
    const { webhooks: after, ...same } = pids();
    expect(same).toEqual(others);
    expect(after).not.toBe(before);
  });
});
