/**
 * The few WASI functions that the speech engine calls, implemented only in memory: the engine gets its arguments and one file that it may write, but no disk
 * and no network. (node:wasi would need a folder, and does not guarantee to keep a program inside it.)
 */

const success = 0;
const badDescriptor = 8;
const invalid = 28;
const firstFile = 4;
const folder = 3;
const folderName = '/out';
const filetype = { character: 2, folder: 3, file: 4 } as const;

/** Thrown by proc_exit, because in WASI a program ends by a call that never returns. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

/** The content of the file that is being written. Its buffer grows by doubling, up to a limit. */
class MemoryFile {
  private bytes = new Uint8Array(64 * 1024);
  private size = 0;
  private position = 0;

  constructor(private readonly maxBytes: number) {}

  /** Returns false if the file would exceed its limit. */
  write(chunk: Uint8Array): boolean {
    const end = this.position + chunk.length;
    if (end > this.maxBytes) return false;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.bytes.length * 2));
      grown.set(this.bytes.subarray(0, this.size));
      this.bytes = grown;
    }
    this.bytes.set(chunk, this.position);
    this.position = end;
    this.size = Math.max(this.size, end);
    return true;
  }

  seek(offset: number, whence: number): number {
    const from = [0, this.position, this.size][whence] ?? 0;
    this.position = Math.max(0, from + offset);
    return this.position;
  }

  content(): Uint8Array {
    return this.bytes.slice(0, this.size);
  }
}

export interface Run {
  readonly module: WebAssembly.Module;
  /** The arguments, starting with the program's name. File names among them are relative to /out. */
  readonly args: readonly string[];
  /** Maximum size of the file; exceeding it ends the run. */
  readonly maxBytes: number;
}

/**
 * Runs a WASI command to its end and returns the file that it wrote.
 * @throws Error if its exit code is not 0, or if it writes no file
 */
export function runCommand({ module, args, maxBytes }: Run): Uint8Array {
  const host = new Host(args, maxBytes);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: host.calls() });
  host.memory = instance.exports['memory'] as WebAssembly.Memory;
  try {
    (instance.exports['_start'] as () => void)();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    if (error.code !== 0) throw new Error(`the speech engine ended with code ${error.code}`, { cause: error });
  }
  if (host.overflown) throw new Error('the speech engine wrote more than allowed');
  if (host.file === undefined) throw new Error('the speech engine wrote nothing');
  return host.file.content();
}

class Host {
  memory!: WebAssembly.Memory;
  file: MemoryFile | undefined;
  overflown = false;
  private readonly args: readonly Buffer[];

  constructor(
    args: readonly string[],
    private readonly maxBytes: number,
  ) {
    this.args = args.map((arg) => Buffer.from(`${arg}\0`, 'utf8'));
  }

  calls(): Record<string, (...values: never[]) => number> {
    return {
      args_sizes_get: (count: number, size: number) => {
        this.store(count, this.args.length);
        this.store(size, Buffer.concat(this.args).length);
        return success;
      },
      args_get: (pointers: number, buffer: number) => this.argsGet(pointers, buffer),
      clock_time_get: (_clock: number, _precision: bigint, time: number) => {
        this.view().setBigUint64(time, process.hrtime.bigint(), true);
        return success;
      },
      fd_close: () => success,
      fd_fdstat_get: (descriptor: number, stat: number) => this.fdstat(descriptor, stat),
      fd_fdstat_set_flags: () => success,
      fd_prestat_get: (descriptor: number, stat: number) => {
        if (descriptor !== folder) return badDescriptor;
        this.store(stat, 0);
        this.store(stat + 4, folderName.length);
        return success;
      },
      fd_prestat_dir_name: (descriptor: number, name: number) => {
        if (descriptor !== folder) return badDescriptor;
        this.bytes().set(Buffer.from(folderName), name);
        return success;
      },
      fd_read: (_descriptor: number, _vectors: number, _count: number, read: number) => {
        this.store(read, 0);
        return success;
      },
      fd_seek: (descriptor: number, offset: bigint, whence: number, position: number) => {
        if (descriptor !== firstFile || this.file === undefined) return badDescriptor;
        this.view().setBigUint64(position, BigInt(this.file.seek(Number(offset), whence)), true);
        return success;
      },
      fd_write: (descriptor: number, vectors: number, count: number, written: number) =>
        this.write(descriptor, vectors, count, written),
      path_open: (...values: number[]) => {
        this.file = new MemoryFile(this.maxBytes);
        this.store(values[8] ?? 0, firstFile);
        return success;
      },
      proc_exit: (code: number) => {
        throw new Exit(code);
      },
    };
  }

  private argsGet(pointers: number, buffer: number): number {
    let at = buffer;
    for (const [index, arg] of this.args.entries()) {
      this.store(pointers + index * 4, at);
      this.bytes().set(arg, at);
      at += arg.length;
    }
    return success;
  }

  private fdstat(descriptor: number, stat: number): number {
    const kind = descriptor < folder ? filetype.character : descriptor === folder ? filetype.folder : filetype.file;
    const view = this.view();
    view.setBigUint64(stat, BigInt(kind), true);
    for (const rights of [8, 16]) view.setBigUint64(stat + rights, 0xffff_ffff_ffff_ffffn, true);
    return success;
  }

  /** Standard output and standard error are discarded, because they may contain the text. */
  private write(descriptor: number, vectors: number, count: number, written: number): number {
    let total = 0;
    for (let index = 0; index < count; index++) {
      const [start, length] = [this.load(vectors + index * 8), this.load(vectors + index * 8 + 4)];
      const chunk = this.bytes().subarray(start, start + length);
      if (descriptor === firstFile && this.file?.write(chunk) !== true) {
        // The engine continues after a failed write, so the failure is reported at the end of the run.
        this.overflown = true;
        return invalid;
      }
      total += length;
    }
    this.store(written, total);
    return success;
  }

  /** A new view each time, because memory may have grown since the last call, which detaches older views. */
  private view(): DataView {
    return new DataView(this.memory.buffer);
  }

  private bytes(): Uint8Array {
    return new Uint8Array(this.memory.buffer);
  }

  private load(at: number): number {
    return this.view().getUint32(at, true);
  }

  private store(at: number, value: number): void {
    this.view().setUint32(at, value, true);
  }
}
