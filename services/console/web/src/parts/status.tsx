import { word } from '../text/text';

const tones: Readonly<Record<string, string>> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  answered: 'live',
  dialing: 'live',
  ended: 'live',
  queued: 'wait',
  pending: 'wait',
  scheduled: 'wait',
  needs_review: 'wait',
  parked: 'wait',
  failed: 'bad',
  policy_blocked: 'bad',
  suspended: 'bad',
};

export function Status({ value }: { readonly value: string }) {
  return (
    <span className="pill" data-tone={tones[value] ?? 'plain'}>
      {word('status', value)}
    </span>
  );
}
