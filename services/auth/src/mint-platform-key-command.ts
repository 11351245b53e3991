import { parseArgs } from 'node:util';
import type { Infrastructure } from '@parley/runtime';
import { dependencies } from './build';
import type { AuthConfig } from './config';
import { mintPlatformKey, type PlatformKind } from './keys';

const kinds: readonly PlatformKind[] = ['operator', 'hosted', 'hosted-simulation', 'hosted-gateway'];
const isKind = (value: string | undefined): value is PlatformKind => kinds.some((kind) => kind === value);

/**
 * `mint-platform-key --name N --kind operator|hosted|hosted-simulation|hosted-gateway`: prints {"key_id", "token"} as one line of JSON on stdout. With several
 * `--kind`, one line for each, in their order.
 */
export async function mintPlatformKeyCommand(
  infrastructure: Infrastructure<AuthConfig>,
  args: string[],
): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { name: { type: 'string' }, kind: { type: 'string', multiple: true } },
  });
  const { name, kind: requested = [] } = values;
  const valid = requested.filter(isKind);
  if (name === undefined || name === '' || valid.length === 0 || valid.length < requested.length) {
    throw new Error(`usage: mint-platform-key --name <name> --kind ${kinds.join('|')} ...`);
  }
  for (const kind of valid) {
    const { keyId, token } = await mintPlatformKey(dependencies(infrastructure), name, kind);
    process.stdout.write(`${JSON.stringify({ key_id: keyId, token })}\n`);
  }
}
