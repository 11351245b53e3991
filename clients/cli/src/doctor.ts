import { statSync } from 'node:fs';
import { ParleyError, type Parley } from '@parley/sdk';
import { exitCodes } from './failure.js';
import { profilesFile } from './profiles.js';

export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly detail: string;
  /** The exit code of the command if this check has failed. */
  readonly exitCode: number;
}

const found = (what: string, ok: boolean, detail: string, exitCode: number = exitCodes.usage): Finding => ({
  what,
  ok,
  detail,
  exitCode: ok ? 0 : exitCode,
});

/** Checks everything that the command line needs, in the order of importance. */
export async function examine(baseUrl: string, connect: () => Parley): Promise<Finding[]> {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const findings = [found('node', major >= 20, `${process.versions.node}, 20 or newer is needed`)];
  const mode = statSync(profilesFile(), { throwIfNoEntry: false })?.mode;
  const isPrivate = mode === undefined || process.platform === 'win32' || (mode & 0o077) === 0;
  findings.push(
    found('profiles', isPrivate, mode === undefined ? 'none' : `${profilesFile()}, readable only by its owner`),
  );
  let answer: Response;
  try {
    answer = await fetch(new URL('/readyz', baseUrl), { signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    const { cause = error } = error instanceof Error ? error : {};
    return [
      ...findings,
      found('platform', false, `${baseUrl}: ${cause instanceof Error ? cause.message : String(cause)}`, exitCodes.api),
    ];
  }
  findings.push(found('platform', answer.ok, `${baseUrl}: ${answer.ok ? 'ready' : answer.status}`, exitCodes.api));
  const skew = Math.round((Date.now() - Date.parse(answer.headers.get('date') ?? '')) / 1000);
  if (!Number.isNaN(skew))
    findings.push(found('clock', Math.abs(skew) < 300, `${skew} s from the platform's; signatures allow 300`));
  try {
    const me = await connect().me.getMe();
    findings.push(found('key', true, `${me.name}, ${me.organization?.name ?? 'operator'}, ${me.scopes.length} scopes`));
    const isLasting = me.expires_at === null || Date.parse(me.expires_at) - Date.now() > 86_400_000;
    findings.push(found('expiry', isLasting, me.expires_at ?? 'does not expire', exitCodes.key));
  } catch (error) {
    const isKey = !(error instanceof ParleyError) || error.status === 401;
    const detail = error instanceof Error ? error.message : String(error);
    findings.push(found('key', false, detail, isKey ? exitCodes.key : exitCodes.api));
  }
  return findings;
}
