import { campaignAs } from '../../test/campaign-as';
import { isKept, KeptCampaigns, storedTurn } from './kept-campaigns';

const now = new Date('2026-03-01T12:00:00.000Z');
const inMs = (ms: number): Date => new Date(now.getTime() + ms);

describe('the stored time of the next pass', () => {
  it.each<[string, Date | null, Date | null, Date | null]>([
    ['none if there is no next pass', now, null, null],
    ['that of the pass if it is later than in a second', now, inMs(1_001), inMs(1_001)],
    ['five seconds later if the pass is soon', now, inMs(200), inMs(5_000)],
    ['five seconds later if none was stored', null, inMs(1_000), inMs(5_000)],
    ['the one stored before if it is still in the future', inMs(1), inMs(200), inMs(1)],
    ['that of a later pass, although another one was stored', inMs(3_000), inMs(60_000), inMs(60_000)],
  ])('is %s', (_name, before, turn, expected) => {
    expect(storedTurn(before, turn, now)).toEqual(expected);
  });
});

describe('the campaigns that a process keeps', () => {
  let ms: number;
  let kept: KeptCampaigns;
  const until = inMs(5_000);
  const campaign = (campaignId: string) => campaignAs({ campaignId, nextRunAt: until });

  beforeEach(() => {
    ms = 0;
    kept = new KeptCampaigns(() => ms);
  });

  it('have their passes in the order in which they are due', () => {
    kept.note(campaign('cmp_1'), inMs(200), now);
    kept.note(campaign('cmp_2'), inMs(100), now);
    expect(kept.due()).toBeUndefined();
    ms = 200;
    expect(kept.due()?.campaignId).toBe('cmp_2');
    kept.note(campaign('cmp_2'), inMs(200), now);
    expect(kept.due()?.campaignId).toBe('cmp_1');
    kept.forget('cmp_1');
    expect(kept.due()).toBeUndefined();
  });

  it.each<[string, Date | null]>([
    ['has no pass', null],
    ['is due again only when any process may take it', until],
  ])('do not include one that %s', (_name, turn) => {
    kept.note(campaign('cmp_1'), inMs(200), now);
    kept.note(campaign('cmp_1'), turn, now);
    ms = 60_000;
    expect(kept.due()).toBeUndefined();
  });

  it.each<[string, Date | null, Date, boolean]>([
    ['are its own until the stored time', until, inMs(4_999), true],
    ['are not its own afterwards', until, until, false],
    ['are not its own after a client has made them due', now, inMs(1), false],
    ['are not its own after they have ended', null, inMs(1), false],
  ])('%s', (_name, nextRunAt, at, expected) => {
    kept.note(campaign('cmp_1'), inMs(200), now);
    ms = 200;
    const due = kept.due();
    expect(due !== undefined && isKept(due, campaignAs({ nextRunAt }), at)).toBe(expected);
  });
});
