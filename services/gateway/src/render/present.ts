import { internal } from '@parley/errors';

/** Protobuf makes every message optional: an answer without its one resource is a fault of the service that sent it. */
export function present<T>(message: T | undefined, name: string): T {
  if (message === undefined) throw internal(new Error(`the answer carries no ${name}`));
  return message;
}
