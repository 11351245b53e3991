/**
 * A task that runs in addition to the requests of a service: a consumer, a relay, a timer. Tasks are started in the order of declaration and stopped in the
 * reverse order. `stop` resolves when the task no longer runs.
 */
export interface Background {
  readonly name: string;
  start(): Promise<void> | void;
  stop(): Promise<void>;
}
