import { openAnnouncement, sealAnnouncement } from './announcements';

const now = Date.UTC(2026, 0, 1);
const text = 'A caller for you:\nMrs. Müller, about an order.';

describe('the announcement of a transfer over SIP', () => {
  const sealed = sealAnnouncement('secret', text, now) ?? '';

  it('can be decrypted with the secret for two minutes', () => {
    expect(openAnnouncement('secret', sealed, now)).toBe(text);
    expect(openAnnouncement('secret', sealed, now + 119_000)).toBe(text);
    expect(openAnnouncement('secret', sealed, now + 120_000)).toBeUndefined();
  });

  it.each([
    ['another secret', 'other', sealed],
    ['no secret', '', sealed],
    ['another content', 'secret', `A${sealed.slice(1)}`],
    ['another signature', 'secret', `${sealed.slice(0, -2)}AA`],
    ['a signature of another length', 'secret', sealed.slice(0, -1)],
    ['no signature', 'secret', sealed.split('.')[0] ?? ''],
    ['an empty value', 'secret', ''],
  ])('cannot be decrypted with %s', (_, secret, one) => {
    expect(openAnnouncement(secret, one, now)).toBeUndefined();
  });

  it('is shorter than a dialplan value, and undefined for a text that is too long', () => {
    expect(sealAnnouncement('secret', 'é'.repeat(1_000), now)?.length).toBeLessThan(3_100);
    expect(sealAnnouncement('secret', 'x'.repeat(2_251), now)).toBeUndefined();
    expect(sealAnnouncement('', 'x', now)).toBeUndefined();
  });
});
