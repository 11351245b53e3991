/** What each file of `bench/rows` exports as `bench`: one topic, measured on a platform or servers of its own. */
export interface BenchRow {
  /** What `--only` names: the file's name. */
  readonly title: string;
  run(options: BenchOptions): Promise<Table[]>;
}

export interface BenchOptions {
  /** Interleaved pairs of floor and platform. */
  readonly pairs: number;
  /** Seconds of one side of a pair. */
  readonly seconds: number;
}

export interface Table {
  readonly title: string;
  readonly rows: readonly object[];
}
