import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Holds buffers of 100 MB, collects them once, and prints how often the whole heap is collected while 100 MB more are allocated. */
const program = (setting: string): string => `
  const { PerformanceObserver, constants } = require('node:perf_hooks');
  ${setting}
  const held = [];
  const allocate = () => {
    for (let n = 0; n < 100; n += 1) held.push(Buffer.alloc(1024 * 1024));
  };
  let collections = 0;
  allocate();
  gc();
  const whole = [constants.NODE_PERFORMANCE_GC_MAJOR, constants.NODE_PERFORMANCE_GC_INCREMENTAL];
  new PerformanceObserver((list) => {
    collections += list.getEntries().filter(({ detail }) => whole.includes(detail.kind)).length;
  }).observe({ entryTypes: ['gc'] });
  allocate();
  setTimeout(() => console.log(collections), 200);
`;

/** In a separate process, because the flags apply to all of it. */
const collectionsWith = (setting: string): number =>
  Number(execFileSync(process.execPath, ['--expose-gc', '--eval', program(setting)], { encoding: 'utf8' }));

const heap = path.join(__dirname, 'heap.ts');

test('the whole heap is not collected because of buffers that calls hold', () => {
  expect(collectionsWith(`require(${JSON.stringify(heap)}).letHeapGrow();`)).toBe(0);
});

test('without the setting it is', () => {
  expect(collectionsWith('')).toBeGreaterThan(0);
});
