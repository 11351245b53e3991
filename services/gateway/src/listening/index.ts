/** Live listening to calls: forwards audio from the replica that receives it from a worker to the replicas with listeners. */
export { Listener, startOf } from './listener';
export { LiveSound } from './live-sound';
