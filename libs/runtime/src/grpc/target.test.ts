import { targetOf } from './channel';

describe('targetOf', () => {
  it.each([
    ['127.0.0.1:5001', '127.0.0.1:5001'],
    ['auth:50051', 'auth:50051'],
    ['127.0.0.1:1, 127.0.0.1:2', 'ipv4:127.0.0.1:1,127.0.0.1:2'],
    ['localhost:1,10.0.0.7:2', 'ipv4:127.0.0.1:1,10.0.0.7:2'],
    ['dns:///auth.parley:50051', 'dns:///auth.parley:50051'],
  ])('%s becomes %s', (address, target) => {
    expect(targetOf(address)).toBe(target);
  });

  it.each(['a:1,b:2', '10.0.0.1:1,10.0.0.2', '10.0.0.1:1,'])(
    'throws for a list with an entry that is not an IP address and port: %s',
    (address) => {
      expect(() => targetOf(address)).toThrow();
    },
  );
});
