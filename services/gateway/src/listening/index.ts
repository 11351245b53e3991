/** Listening in to calls: their sound, from the replica that a worker sends it to, to those at which someone listens. */
export { Listener, startOf } from './listener';
export { LiveSound } from './live-sound';
