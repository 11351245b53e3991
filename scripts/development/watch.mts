/** Runs tsc -b --watch, and buf generate whenever a proto file has changed. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../platform/options.mts';

const built = /Found 0 errors?\b/;
const clearScreen = /\u001bc/g;

export interface Watcher {
  stop(): void;
}

/** Calls `onBuilt` after every build without errors, and prints the compiler's output for a build with errors. */
export function watchSources(onBuilt: () => void, say: (text: string) => void): Watcher {
  const tsc: ChildProcess = spawn(
    process.execPath,
    [path.join(root, 'node_modules/typescript/bin/tsc'), '-b', '--watch', '--preserveWatchOutput'],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (tsc.stdout) {
    createInterface({ input: tsc.stdout }).on('line', (line) => {
      const text = line.replace(clearScreen, '').trimEnd();
      if (built.test(text)) onBuilt();
      else if (/error TS\d+/.test(text)) say(text);
    });
  }
  let timer: NodeJS.Timeout | undefined;
  const proto = watch(path.join(root, 'proto/parley'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { status, stderr } = spawnSync(path.join(root, 'node_modules/.bin/buf'), ['generate'], {
        cwd: root,
        encoding: 'utf8',
      });
      say(status === 0 ? 'generated the gRPC code again' : stderr);
    }, 200);
  });
  return {
    stop: () => {
      proto.close();
      clearTimeout(timer);
      tsc.kill();
    },
  };
}
