import { setFlagsFromString } from 'node:v8';

/**
 * By default V8 collects the whole heap after every 10 MB: for 20 calls every two seconds, each time with pauses of 15 to 45 ms and all its threads, which every
 * caller hears as a late reply. After this call the heap may grow to four times what is in use, about 200 MB.
 */
export function letHeapGrow(): void {
  setFlagsFromString('--heap-growing-percent=300');
}
