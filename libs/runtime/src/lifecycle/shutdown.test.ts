import { createLogger } from '../log';
import { ShutdownStack } from './shutdown';

describe('ShutdownStack', () => {
  it('stops each part once, waits for it, and continues after a failure', async () => {
    const stopped: string[] = [];
    const stack = new ShutdownStack(createLogger({ service: 'test', level: 'silent' }));
    stack.push('database', () => void stopped.push('database'));
    stack.push('failing', () => Promise.reject(new Error('no')));
    stack.push('server', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      stopped.push('server');
    });
    await Promise.all([stack.unwind(), stack.unwind()]);
    await stack.unwind();
    expect([...stopped].sort()).toEqual(['database', 'server']);
  });

  it('stops the parts in reverse order', async () => {
    const stopped: number[] = [];
    const stack = new ShutdownStack(createLogger({ service: 'test', level: 'silent' }));
    for (const part of [1, 2, 3]) stack.push(String(part), () => void stopped.push(part));
    await stack.unwind();
    expect(stopped).toEqual([3, 2, 1]);
  });
});
