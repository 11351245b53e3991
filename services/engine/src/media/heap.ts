import { setFlagsFromString } from 'node:v8';

/**
 * By default V8 collects the whole heap after every 10 MB: for 20 calls every two seconds, each time with pauses of 15 to 45 ms and all its threads, which every
 * caller hears as a late reply. After this call the heap may grow to four times what is in use, about 200 MB.
 *
 * Buffers have a separate limit: after 64 MB of them, which 40 calls need every 25 s, V8 also collects the whole heap, and each new buffer then has to mark a
 * part of it, so that no step of audio runs for up to 250 ms. After this call, buffers count toward the limit of the heap instead.
 *
 * A heap that was not collected for 100 s is collected by V8's memory reducer, by default with a compaction. It probably caused pauses of 300 ms, which were measured but not traced.
 */
export function letHeapGrow(): void {
  setFlagsFromString('--heap-growing-percent=300');
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString('--no-memory-reducer-favors-memory');
}
