/** The programs that build and run an image without a Docker engine. Independent of Parley. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The Debian package of each program. */
const packages: Readonly<Record<string, string>> = {
  mmdebstrap: 'mmdebstrap',
  buildah: 'buildah',
  podman: 'podman',
  runc: 'runc',
  catatonit: 'catatonit',
};

const isThere = (binary: string): boolean =>
  spawnSync('which', [binary], { stdio: 'ignore', env: withSystemPaths(process.env) }).status === 0;

/**
 * The reason why images cannot be tested on this machine; undefined if they can. Missing programs are installed if apt-get is available and the user is root.
 */
export function whyNot(say: (text: string) => void): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux: build with `docker build` instead';
  if (process.getuid?.() !== 0) return 'needs root: Debian packages are unpacked and containers are run';
  const missing = () => Object.keys(packages).filter((binary) => !isThere(binary));
  if (missing().length > 0 && isThere('apt-get')) {
    const wanted = missing().map((binary) => packages[binary] ?? binary);
    say(`installing ${wanted.join(', ')} with apt-get`);
    const env = { ...withSystemPaths(process.env), DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update'], { stdio: 'ignore', env });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...wanted], { stdio: 'ignore', env });
  }
  const still = missing();
  return still.length > 0 ? `${still.join(', ')} cannot be installed here` : undefined;
}

function withSystemPaths(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, PATH: `${env.PATH ?? ''}:/usr/sbin:/sbin` };
}

export interface Said {
  readonly code: number;
  readonly stdout: string;
  /** stdout followed by stderr. */
  readonly output: string;
}

/** buildah and podman with a separate folder for images and containers, so that those of the machine are not changed. */
export class Containers {
  private readonly env: NodeJS.ProcessEnv;
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    const storage = path.join(folder, 'storage.conf');
    const containers = path.join(folder, 'containers.conf');
    const roots = `runroot = "${path.join(folder, 'run')}"\ngraphroot = "${path.join(folder, 'graph')}"\n`;
    writeFileSync(storage, `[storage]\ndriver = "overlay"\n${roots}`);
    // Inside another container, limits cannot be raised, and there is no systemd to create cgroups.
    writeFileSync(
      containers,
      '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=2048:2048"]\n' +
        '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n',
    );
    this.env = {
      ...withSystemPaths(process.env),
      CONTAINERS_STORAGE_CONF: storage,
      CONTAINERS_CONF: containers,
    };
  }

  /** @throws Error with the end of the output if the command fails */
  run(program: 'buildah' | 'podman', args: readonly string[]): string {
    const { code, stdout, output } = this.try(program, args);
    if (code !== 0) throw new Error(`${program} ${args.slice(0, 3).join(' ')} failed:\n${output.slice(-4000)}`);
    return stdout.trim();
  }

  /** Like run(), with the text in a file that only its owner can read. The name of the file is passed as the last argument. */
  runWithText(program: 'buildah' | 'podman', args: readonly string[], text: string): string {
    const file = path.join(this.folder, `given-${process.pid}`);
    writeFileSync(file, text, { mode: 0o600 });
    try {
      return this.run(program, [...args, file]);
    } finally {
      rmSync(file, { force: true });
    }
  }

  try(program: 'buildah' | 'podman', args: readonly string[]): Said {
    const { status, stdout, stderr } = spawnSync(program, args, {
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    return { code: status ?? 1, stdout, output: stdout + stderr };
  }
}
