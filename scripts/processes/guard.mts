/**
 * The guard is a shell that holds the other end of a pipe and outlives its supervisor. If the supervisor ends without cleaning up (SIGKILL, out of memory), the
 * pipe is closed, and the guard ends all programs that were added, so that none is left behind.
 */
import { spawn } from 'node:child_process';

const script = `
trap '' INT TERM HUP
members= ; folders=
while read -r verb a b; do
  case $verb in
    add) members="$members $a:$b" ;;
    drop) kept= ; for m in $members; do [ "\${m%%:*}" = "$a" ] || kept="$kept $m"; done; members=$kept ;;
    scrap) folders="$folders $a" ;;
    quit) exit 0 ;;
  esac
done
for m in $members; do kill -"\${m##*:}" "\${m%%:*}"; done
for turn in 1 2 3 4 5 6 7 8 9 10; do
  alive= ; for m in $members; do kill -0 "\${m%%:*}" && alive=1; done
  [ -n "$alive" ] || break
  sleep 1
done
for m in $members; do kill -KILL -"\${m%%:*}"; done
for f in $folders; do rm -rf -- "$f"; done
`;

export interface Guard {
  /** Adds a program: `pid`, the leader of a process group, is ended with the supervisor, first with `signal`. */
  add(pid: number, signal: NodeJS.Signals): void;
  drop(pid: number): void;
  /** Adds a folder that is removed too. Its path must not contain white space. */
  scrap(folder: string): void;
  /** Ends the guard, because the supervisor has ended all programs itself. */
  quit(): void;
}

export function startGuard(): Guard {
  const shell = spawn('sh', ['-c', script, 'parley-guard'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  const say = (line: string): void => {
    shell.stdin.write(`${line}\n`);
  };
  return {
    add: (pid, signal) => say(`add ${pid} ${signal.replace(/^SIG/, '')}`),
    drop: (pid) => say(`drop ${pid}`),
    scrap: (folder) => say(`scrap ${folder}`),
    quit: () => shell.stdin.end('quit\n'),
  };
}
