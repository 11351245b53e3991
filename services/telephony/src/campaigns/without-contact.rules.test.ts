import { campaignAs } from '../../test/campaign-as';
import { withoutContact } from './contact-import.rules';

const campaign = campaignAs({
  contacts: 4,
  pending: 1,
  completed: 3,
  attempts: 5,
  outcomes: { answered: 2, busy: 1 },
});

describe('the statistics of a campaign after a contact is deleted', () => {
  it('count one contact less, and the same number of attempts', () => {
    expect(withoutContact(campaign, { status: 'pending', outcome: null })).toEqual({
      ...campaign,
      contacts: 3,
      pending: 0,
    });
    expect(withoutContact(campaign, { status: 'completed', outcome: 'answered' })).toEqual({
      ...campaign,
      contacts: 3,
      completed: 2,
      outcomes: { answered: 1, busy: 1 },
    });
  });

  it('omit outcomes with count 0', () => {
    const { outcomes } = withoutContact(campaign, { status: 'completed', outcome: 'busy' });
    expect(outcomes).toEqual({ answered: 2 });
  });
});
